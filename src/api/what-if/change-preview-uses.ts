// What would still use a record that is to be archived.
import type { ManagedBy } from '../../resources/declaration/managed-by.ts';
import { managedByText } from '../../resources/declaration/managed-by-header.ts';
import { escalationPolicy } from '../../resources/escalation-policy.ts';
import type { Sql } from '../../storage/database/database.ts';
import { moves, replacementOf } from '../../storage/records/policy-replacement.ts';
import type { Use } from '../../storage/records/record-hooks.ts';
import type { StoredRecord } from '../../storage/records/rows.ts';
import { columnsThatName, names, usesOf } from '../../storage/records/uses.ts';
import type { ChangePreviewRequest, Proposed } from './change-preview-request.ts';

type UsedRecord = {
  readonly organizationId: string;
  readonly before: StoredRecord;
  /** Whose configuration archives it; null: nobody says. */
  readonly managedBy: ManagedBy | null;
};

/**
 * Left out is what the same run archives or changes away from the record, and what the same
 * configuration manages: it cannot name any more what is removed from it.
 */
export async function usesAfter(
  sql: Sql,
  request: ChangePreviewRequest,
  { organizationId, before, managedBy }: UsedRecord,
): Promise<readonly Use[]> {
  const { record, planned } = request;
  const kind = record.resource.name;
  const uses = await usesOf(sql, { organizationId, kind, id: before.id });
  const heir =
    kind === escalationPolicy.name ? await replacementOf(sql, organizationId, before) : null;
  const isGone = planned.some(({ id, archived }) => id === heir && archived);
  const left = heir === null || isGone ? uses : uses.filter((use) => !moves(use));
  return usesLeft(left, request, { used: { kind, id: before.id }, managedBy });
}

type Left = {
  readonly used: Pick<Use, 'kind' | 'id'>;
  readonly managedBy: ManagedBy | null;
};

/** Of these uses, those that the same run and the same configuration leave. */
export const usesLeft = <Any extends Use>(
  uses: readonly Any[],
  { planned }: ChangePreviewRequest,
  { used, managedBy }: Left,
): readonly Any[] =>
  uses.filter((use) => {
    if (isSame(use.managedBy, managedBy)) return false;
    const own = planned.findLast((one) => one.id === use.id && one.resource.name === use.kind);
    return own === undefined || stillUses(own, used);
  });

/** What uses a record otherwise than by its fields, as notifications do, goes on when it is saved. */
function stillUses(
  { archived, resource, written: { fields } }: Proposed,
  { kind, id }: Pick<Use, 'kind' | 'id'>,
): boolean {
  if (archived) return false;
  return columnsThatName(resource, kind).length === 0 || names(resource, fields, id);
}

const isSame = (one: ManagedBy | null, other: ManagedBy | null): boolean =>
  one !== null && other !== null && managedByText(one) === managedByText(other);
