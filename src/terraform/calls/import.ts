import { isOfTeam, type Resource } from '../../resources/declaration/resource.ts';
import { errorDiagnostic } from '../diagnostics.ts';
import { managedAs } from '../managed.ts';
import type { Session } from '../session.ts';
import { type RequestOf, type ResponseOf, sending } from './dynamic-value.ts';

const idForm = /^()([0-9a-f]{24})$/;
/** Of what has a team and a counter. */
const recordForm = /^(?:([0-9a-f]{24})\/)?([0-9a-f]{24}|[1-9][0-9]{0,9})$/;

/** Only notes the id: Terraform reads the record next, which fills in the rest or finds none. */
export function importResource(
  { managed }: Session,
  { type_name, id: importId }: RequestOf<'ImportResourceState'>,
): ResponseOf<'ImportResourceState'> {
  const { type, resource } = managedAs(managed, type_name);
  const form = isOfTeam(resource) ? recordForm : idForm;
  const [, team_id = null, id] = form.exec(importId) ?? [];
  if (id === undefined) return { diagnostics: [unreadable(resource, importId)] };
  const named = isOfTeam(resource) ? { id, team_id } : { id };
  return { imported_resources: [{ type_name, state: sending(type, named) }] };
}

function unreadable(resource: Resource, importId: string) {
  const known = isOfTeam(resource)
    ? 'is none of <id>, <team_id>/<id>, <counter> and <team_id>/<counter>'
    : 'is no id';
  return errorDiagnostic({
    summary: 'Invalid import id',
    detail: `${JSON.stringify(importId)} ${known}. An id has 24 lowercase hex characters: it is the end of the record’s address in the dashboard.`,
  });
}
