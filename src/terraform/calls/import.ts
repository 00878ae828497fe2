import { isOfTeam, type Resource } from '../../resources/declaration/resource.ts';
import { records } from '../../resources/index.ts';
import { errorDiagnostic } from '../diagnostics.ts';
import { findKnown } from '../known-by.ts';
import { inWords, type Managed, managedAs } from '../managed.ts';
import type { Value } from '../protocol/value.ts';
import type { Session } from '../session.ts';
import { type RequestOf, type ResponseOf, sending } from './dynamic-value.ts';
import { failureDiagnostics, notConnected } from './failures.ts';
import { nounOf } from './missing.ts';

const idForm = /^()([0-9a-f]{24})$/;
/** Of what is there once for a record that has a counter. */
const keyForm = /^()([0-9a-f]{24}|[1-9][0-9]{0,9})$/;
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
  const form = formFor(resource, owner);
  const [, of = null, id] = form.exec(importId) ?? [];
  if (id !== undefined) return noted({ id, ...(owner !== '' && { [owner]: of }) });
  if (resource.knownBy === '') return { diagnostics: [unreadable(wanted(owner), importId)] };
  const doing = `import the ${inWords(resource.name)} ${JSON.stringify(importId)}`;
  if (connection === null) return { diagnostics: [notConnected(doing)] };
  const known = await findKnown(connection.client, resource, importId);
  if (!known.ok) return { diagnostics: failureDiagnostics(doing, known.failure) };
  const [one] = known.value;
  return one ? noted({ id: String(one['id']) }) : { diagnostics: [noneKnown(resource, importId)] };
}

const noneKnown = ({ name, knownBy }: Resource, importId: string) =>
  errorDiagnostic({
    summary: `The ${inWords(name)} ${JSON.stringify(importId)} is not found`,
    detail: `It is not an id, and the API key’s organization has no ${inWords(name)} with this ${knownBy}.`,
  });

function formFor(resource: Resource, owner: string): RegExp {
  if (resource.isSingleton) return new RegExp(`^()([0-9a-f]{24}|${resource.name})$`);
  return isOfRecord(resource) ? keyForm : formOf(owner);
}

/** Settings of what has a counter. */
function isOfRecord(resource: Resource): boolean {
  const { owner } = resource;
  return owner !== null && records.some(({ name }) => name === nounOf(resource, owner));
}

/** What an import takes for an id, as people read it. */
export function importForms({ resource, parents }: Managed): readonly string[] {
  const [owner = isOfTeam(resource) ? 'team_id' : ''] = parents;
  if (resource.isSingleton) return [resource.name, '<id>'];
  if (isOfRecord(resource)) return bothFormsOf(resource.owner ?? '');
  if (owner === 'team_id') return ['<id>', '<team_id>/<id>', '<counter>', '<team_id>/<counter>'];
  if (owner !== '') return bothFormsOf(owner).map((form) => `${form}/<id>`);
  return ['<id>', ...(resource.knownBy === '' ? [] : [`<${resource.knownBy}>`])];
}

/** Of the record in that attribute: its id and its counter. */
const bothFormsOf = (attribute: string): readonly string[] => [
  `<${attribute}>`,
  `<${attribute.replace(/_id$/, '_counter')}>`,
];

/** By the attribute that names what it is of; or ''. */
function formOf(owner: string): RegExp {
  if (owner === '') return idForm;
  return owner === 'team_id' ? recordForm : childForm;
}

function wanted(owner: string): string {
  if (owner === 'team_id')
    return 'must have the form <id>, <team_id>/<id>, <counter> or <team_id>/<counter>';
  return owner === '' ? 'is not an id' : `must have the form <${owner}>/<id>`;
}

function unreadable(known: string, importId: string) {
  return errorDiagnostic({
    summary: 'Invalid import id',
    detail: `${JSON.stringify(importId)} ${known}. An id has 24 lowercase hex characters. It is the last part of the record’s address in the dashboard.`,
  });
}
