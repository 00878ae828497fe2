// What would still use a record that is to be archived.
import { escalationPolicy } from '../../resources/escalation-policy.ts';
import type { Sql } from '../../storage/database.ts';
import { moves, replacementOf } from '../../storage/records/policy-replacement.ts';
import type { Use } from '../../storage/records/record-hooks.ts';
import type { StoredRecord } from '../../storage/records/rows.ts';
import { names, usesOf } from '../../storage/records/uses.ts';
import type { ChangePreviewRequest, Proposed } from './request.ts';

/** What the same run archives, or changes away from the record, is left out. */
export async function usesAfter(
  sql: Sql,
  { record, planned }: ChangePreviewRequest,
  { organizationId, before }: { readonly organizationId: string; readonly before: StoredRecord },
): Promise<readonly Use[]> {
  const kind = record.resource.name;
  const uses = await usesOf(sql, { organizationId, kind, id: before.id });
  const heir =
    kind === escalationPolicy.name ? await replacementOf(sql, organizationId, before) : null;
  const isGone = planned.some(({ id, archived }) => id === heir && archived);
  const left = heir === null || isGone ? uses : uses.filter((use) => !moves(use));
  return left.filter((use) => {
    const own = planned.findLast((one) => one.id === use.id && one.resource.name === use.kind);
    return own === undefined || stillUses(own, before.id);
  });
}

const stillUses = ({ archived, resource, written: { fields } }: Proposed, id: string): boolean =>
  !archived && names(resource, fields, id);
