// The row by which a schedule is watched counts its edits; whoever edits holds it until the end.
// It is taken after the schedule's own row, never before.
import type { Queries } from '../database/database.ts';

type CursorEdit = {
  readonly organizationId: string;
  readonly scheduleId: string;
  readonly now: Temporal.Instant;
};

/** For a new schedule, whose creation counts as an edit of which nobody is notified. */
export async function insertShiftCursor(
  tx: Queries,
  { organizationId, scheduleId, now }: CursorEdit,
): Promise<void> {
  await tx`
    insert into shift_cursors
      (organization_id, oncall_schedule_id, edits, seen_edits, edited_at, advanced_to, wake_at)
    values (${organizationId}, ${scheduleId}, 1, 1, ${now}, ${now}, ${now})`;
}

export type EditCounted = { readonly edit: number; readonly at: Temporal.Instant };

/**
 * One more edit, which takes effect now: but after every earlier one, and never in a time whose
 * shifts were announced already, whatever the clocks of several servers say.
 */
export async function countEdit(
  tx: Queries,
  { organizationId, scheduleId, now }: CursorEdit,
): Promise<EditCounted> {
  const [edit] = await tx<EditCounted[]>`
    update shift_cursors
    set edits = edits + 1, edited_at = ${effectAt(tx, now)},
      wake_at = least(wake_at, ${effectAt(tx, now)})
    where organization_id = ${organizationId} and oncall_schedule_id = ${scheduleId}
    returning edits as edit, edited_at as at`;
  if (edit === undefined) throw new Error(`the schedule ${scheduleId} has no shift cursor`);
  return edit;
}

const effectAt = (sql: Queries, now: Temporal.Instant) =>
  sql`greatest(edited_at, advanced_to, ${now})`;

type NextEdits = Omit<CursorEdit, 'scheduleId'> & { readonly scheduleIds: readonly string[] };

/** By schedule, when an edit would take effect that is made now. */
export async function nextEdits(
  sql: Queries,
  { organizationId, scheduleIds, now }: NextEdits,
): Promise<ReadonlyMap<string, Temporal.Instant>> {
  if (scheduleIds.length === 0) return new Map();
  const rows = await sql<{ id: string; at: Temporal.Instant }[]>`
    select oncall_schedule_id as id, ${effectAt(sql, now)} as at from shift_cursors
    where organization_id = ${organizationId} and oncall_schedule_id = any(${[...scheduleIds]})`;
  return new Map(rows.map(({ id, at }) => [id, at]));
}
