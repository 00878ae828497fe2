import { errorDiagnostic } from '../diagnostics.ts';
import { managedAs } from '../managed.ts';
import type { Session } from '../session.ts';
import { type RequestOf, type ResponseOf, sending } from './dynamic-value.ts';

const forms = /^(?:([0-9a-f]{24})\/)?([0-9a-f]{24}|[1-9][0-9]{0,9})$/;

/** Only notes the id: Terraform reads the record next, which fills in the rest or finds none. */
export function importResource(
  { managed }: Session,
  { type_name, id: importId }: RequestOf<'ImportResourceState'>,
): ResponseOf<'ImportResourceState'> {
  const { type } = managedAs(managed, type_name);
  const [, team_id = null, id] = forms.exec(importId) ?? [];
  if (id === undefined) return { diagnostics: [unreadable(importId)] };
  return { imported_resources: [{ type_name, state: sending(type, { id, team_id }) }] };
}

const unreadable = (importId: string) =>
  errorDiagnostic({
    summary: 'Invalid import id',
    detail: `${JSON.stringify(importId)} is none of <id>, <team_id>/<id>, <counter> and <team_id>/<counter>. An id has 24 lowercase hex characters: it is the end of the record’s address in the dashboard.`,
  });
