import { isOfTeam, type Resource } from '../../resources/declaration/resource.ts';
import { user } from '../../resources/user.ts';
import { findUsersByEmail } from '../data-sources/people.ts';
import { errorDiagnostic } from '../diagnostics.ts';
import { managedAs } from '../managed.ts';
import type { Value } from '../protocol/value.ts';
import type { Session } from '../session.ts';
import { type RequestOf, type ResponseOf, sending } from './dynamic-value.ts';
import { failureDiagnostics, notConnected } from './failures.ts';

const idForm = /^()([0-9a-f]{24})$/;
/** Of what has a team and a counter. */
const recordForm = /^(?:([0-9a-f]{24})\/)?([0-9a-f]{24}|[1-9][0-9]{0,9})$/;
/** Of what is below another record. */
const childForm = /^([0-9a-f]{24}|[1-9][0-9]{0,9})\/([0-9a-f]{24})$/;

/** Only notes the id: Terraform reads the record next, which fills in the rest or finds none. */
export async function importResource(
  { managed, connection }: Session,
  { type_name, id: importId }: RequestOf<'ImportResourceState'>,
): Promise<ResponseOf<'ImportResourceState'>> {
  const { type, resource, parents } = managedAs(managed, type_name);
  const noted = (value: Value) => ({
    imported_resources: [{ type_name, state: sending(type, value) }],
  });
  const [owner = isOfTeam(resource) ? 'team_id' : ''] = parents;
  const [, of = null, id] = formOf(owner).exec(importId) ?? [];
  if (id !== undefined) return noted({ id, ...(owner !== '' && { [owner]: of }) });
  if (resource.name !== user.name || !importId.includes('@'))
    return { diagnostics: [unreadable(wanted(resource, owner), importId)] };
  const doing = `import the user ${JSON.stringify(importId)}`;
  if (connection === null) return { diagnostics: [notConnected(doing)] };
  const users = await findUsersByEmail(connection.client, importId);
  if (!users.ok) return { diagnostics: failureDiagnostics(doing, users.failure) };
  const [person] = users.value;
  return person ? noted({ id: String(person['id']) }) : { diagnostics: [noUser(importId)] };
}

const noUser = (email: string) =>
  errorDiagnostic({
    summary: `The user ${JSON.stringify(email)} is not found`,
    detail: 'The organisation of the API key has nobody with this e-mail address.',
  });

/** By the attribute that names what it is of; or ''. */
function formOf(owner: string): RegExp {
  if (owner === '') return idForm;
  return owner === 'team_id' ? recordForm : childForm;
}

function wanted(resource: Resource, owner: string): string {
  if (owner === 'team_id')
    return 'is none of <id>, <team_id>/<id>, <counter> and <team_id>/<counter>';
  if (owner !== '') return `is not <${owner}>/<id>`;
  return resource.name === user.name ? 'is neither an id nor an e-mail address' : 'is no id';
}

function unreadable(known: string, importId: string) {
  return errorDiagnostic({
    summary: 'Invalid import id',
    detail: `${JSON.stringify(importId)} ${known}. An id has 24 lowercase hex characters: it is the end of the record’s address in the dashboard.`,
  });
}
