import { isOfTeam } from '../../resources/declaration/resource.ts';
import { errorDiagnostic } from '../diagnostics.ts';
import { managedAs } from '../managed.ts';
import type { Session } from '../session.ts';
import { type RequestOf, type ResponseOf, sending } from './dynamic-value.ts';

const idForm = /^()([0-9a-f]{24})$/;
/** Of what has a team and a counter. */
const recordForm = /^(?:([0-9a-f]{24})\/)?([0-9a-f]{24}|[1-9][0-9]{0,9})$/;
/** Of what is below another record. */
const childForm = /^([0-9a-f]{24}|[1-9][0-9]{0,9})\/([0-9a-f]{24})$/;

/** Only notes the id: Terraform reads the record next, which fills in the rest or finds none. */
export function importResource(
  { managed }: Session,
  { type_name, id: importId }: RequestOf<'ImportResourceState'>,
): ResponseOf<'ImportResourceState'> {
  const { type, resource, parents } = managedAs(managed, type_name);
  const [owner = isOfTeam(resource) ? 'team_id' : ''] = parents;
  const [, of = null, id] = formOf(owner).exec(importId) ?? [];
  if (id === undefined) return { diagnostics: [unreadable(owner, importId)] };
  const named = { id, ...(owner !== '' && { [owner]: of }) };
  return { imported_resources: [{ type_name, state: sending(type, named) }] };
}

/** By the attribute that names what it is of; or ''. */
function formOf(owner: string): RegExp {
  if (owner === '') return idForm;
  return owner === 'team_id' ? recordForm : childForm;
}

const wanted: Readonly<Record<string, string>> = {
  '': 'is no id',
  team_id: 'is none of <id>, <team_id>/<id>, <counter> and <team_id>/<counter>',
};

function unreadable(owner: string, importId: string) {
  const known = wanted[owner] ?? `is not <${owner}>/<id>`;
  return errorDiagnostic({
    summary: 'Invalid import id',
    detail: `${JSON.stringify(importId)} ${known}. An id has 24 lowercase hex characters: it is the end of the record’s address in the dashboard.`,
  });
}
