// The row by which a schedule is watched counts its edits; whoever edits holds it until the end.
// It is the last of the locks that a write takes; `activity.ts` has their order.
import type { Queries } from '../database/database.ts';

type CursorEdit = {
  readonly organizationId: string;
  readonly scheduleId: string;
  readonly now: Temporal.Instant;
};

type CursorEdits = Omit<CursorEdit, 'scheduleId'> & { readonly scheduleIds: readonly string[] };

/** How many edits are made at once; absent: one. */
type Counted = { readonly count?: number };

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
 * shifts were announced already, whatever the clocks of several servers say. Of several, answers the
 * last.
 */
export async function countEdit(
  tx: Queries,
  { scheduleId, ...edited }: CursorEdit & Counted,
): Promise<EditCounted> {
  const edit = (await countEdits(tx, { ...edited, scheduleIds: [scheduleId] })).get(scheduleId);
  if (edit === undefined) throw new Error(`the schedule ${scheduleId} has no shift cursor`);
  return edit;
}

/** One more edit of each; answers them by schedule. */
export async function countEdits(
  tx: Queries,
  { organizationId, scheduleIds, now, count = 1 }: CursorEdits & Counted,
): Promise<ReadonlyMap<string, EditCounted>> {
  const ofSchedules = tx`
    organization_id = ${organizationId} and oncall_schedule_id = any(${[...scheduleIds]})`;
  if (scheduleIds.length > 1)
    await tx`
      select from shift_cursors where ${ofSchedules}
      order by oncall_schedule_id for no key update`;
  const rows = await tx<(EditCounted & { id: string })[]>`
    update shift_cursors
    set edits = edits + ${count}, edited_at = ${effectAt(tx, now)},
      wake_at = least(wake_at, ${effectAt(tx, now)})
    where ${ofSchedules}
    returning oncall_schedule_id as id, edits as edit, edited_at as at`;
  return new Map(rows.map(({ id, edit, at }) => [id, { edit, at }]));
}

const effectAt = (sql: Queries, now: Temporal.Instant) =>
  sql`greatest(edited_at, advanced_to, ${now})`;

/** By schedule, when an edit would take effect that is made now. */
export async function nextEdits(
  sql: Queries,
  { organizationId, scheduleIds, now }: CursorEdits,
): Promise<ReadonlyMap<string, Temporal.Instant>> {
  if (scheduleIds.length === 0) return new Map();
  const rows = await sql<{ id: string; at: Temporal.Instant }[]>`
    select oncall_schedule_id as id, ${effectAt(sql, now)} as at from shift_cursors
    where organization_id = ${organizationId} and oncall_schedule_id = any(${[...scheduleIds]})`;
  return new Map(rows.map(({ id, at }) => [id, at]));
}
