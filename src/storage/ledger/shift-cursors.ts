import { postponeMinutes } from '../../engine/faults.ts';
import { failureOf } from '../../engine/log.ts';
import type { DueShiftCursor, ScheduleKey, ShiftChanges } from '../../engine/ports/shifts.ts';
import { minutesAfter } from '../../incidents/incident.ts';
import { earlier } from '../../oncall/order.ts';
import { isAnnounced, type RecordedShift } from '../../shifts/advance.ts';
import type { Queries } from '../database/database.ts';
import { readSchedules } from '../oncall/schedules.ts';
import { notifyOfUndecided } from '../outbox/admins.ts';
import { insertShiftNotices } from '../outbox/shift-notices.ts';
import { json, namedRows } from '../records/rows.ts';
import type { LedgerContext } from './context.ts';

type ShiftCursorRow = {
  organization_id: string;
  oncall_schedule_id: string;
  advanced_to: Temporal.Instant;
  edits: number;
  seen_edits: number;
  shift_id: string | null;
};
type ShiftRow = {
  id: string;
  user_id: string;
  source: string;
  layer: number | null;
  start_at: Temporal.Instant;
  end_at: Temporal.Instant;
};

/** Those longest due first. Their histories are read under the lock, so no edit is missed. */
export async function dueShiftCursors(
  context: LedgerContext,
  now: Temporal.Instant,
  limit: number,
): Promise<readonly DueShiftCursor[]> {
  const { sql } = context;
  const rows = await sql<ShiftCursorRow[]>`
    select organization_id, oncall_schedule_id, advanced_to, edits, seen_edits, shift_id
    from shift_cursors where wake_at <= ${now}
    order by wake_at limit ${limit} for update skip locked`;
  const perOrganization = Map.groupBy(rows, (row) => row.organization_id);
  const due: DueShiftCursor[] = [];
  for (const own of perOrganization.values()) due.push(...(await readable(context, own, now)));
  return due;
}

/** Those of these schedules, as they are now, without a lock. */
export async function readShiftCursors(
  sql: Queries,
  of: { readonly organizationId: string; readonly scheduleIds: readonly string[] },
): Promise<ReadonlyMap<string, DueShiftCursor>> {
  const { organizationId, scheduleIds } = of;
  if (scheduleIds.length === 0) return new Map();
  const rows = await sql<ShiftCursorRow[]>`
    select organization_id, oncall_schedule_id, advanced_to, edits, seen_edits, shift_id
    from shift_cursors
    where organization_id = ${organizationId} and oncall_schedule_id = any(${[...scheduleIds]})`;
  const cursors = rows.length > 0 ? await shiftCursorsOf({ sql }, organizationId, rows) : [];
  return new Map(cursors.map((cursor) => [cursor.schedule.id, cursor]));
}

export async function readShiftCursor(
  sql: Queries,
  { organizationId, scheduleId }: { readonly organizationId: string; readonly scheduleId: string },
): Promise<DueShiftCursor> {
  const cursors = await readShiftCursors(sql, { organizationId, scheduleIds: [scheduleId] });
  const cursor = cursors.get(scheduleId);
  if (cursor === undefined) throw new Error(`the schedule ${scheduleId} has no shift cursor`);
  return cursor;
}

/** Reads the cursors together. If one cannot be read, reads each alone and postpones that one. */
async function readable(
  context: LedgerContext,
  rows: readonly ShiftCursorRow[],
  now: Temporal.Instant,
): Promise<readonly DueShiftCursor[]> {
  const [first, ...others] = rows;
  if (first === undefined) return [];
  try {
    return await shiftCursorsOf(context, first.organization_id, rows);
  } catch (error) {
    if (others.length === 0) {
      const { organization_id, oncall_schedule_id: id } = first;
      await postponeShiftCursor(context, { organization_id, id }, { error, now });
      return [];
    }
  }
  const due: DueShiftCursor[] = [];
  for (const row of rows) due.push(...(await readable(context, [row], now)));
  return due;
}

/** Makes the cursor due again in ten minutes. Admins are notified once until it has advanced. */
export async function postponeShiftCursor(
  context: LedgerContext,
  { organization_id, id }: ScheduleKey,
  { error, now }: { readonly error: unknown; readonly now: Temporal.Instant },
): Promise<void> {
  const { sql, faults } = context;
  faults({ of: 'schedule', id, error });
  const [row] = await sql<{ team_id: string; name: string; advanced_to: Temporal.Instant }[]>`
    update shift_cursors w set wake_at = ${minutesAfter(now, postponeMinutes)}
    from oncall_schedules s
    where w.organization_id = ${organization_id} and w.oncall_schedule_id = ${id}
      and s.organization_id = w.organization_id and s.id = w.oncall_schedule_id
    returning s.team_id, s.name, w.advanced_to`;
  if (row === undefined) return;
  const { team_id, name, advanced_to } = row;
  const undecided = { of: 'schedule', id, name, reason: failureOf(error) } as const;
  const since = `${advanced_to.epochMilliseconds}`;
  await notifyOfUndecided(context, { organization_id, team_id, since, ...undecided }, now);
}

async function shiftCursorsOf(
  { sql }: { readonly sql: Queries },
  organizationId: string,
  rows: readonly ShiftCursorRow[],
): Promise<readonly DueShiftCursor[]> {
  const ids = rows.map((row) => row.oncall_schedule_id);
  const since = rows.map((row) => row.advanced_to).reduce(earlier);
  const running = rows.flatMap((row) => row.shift_id ?? []);
  const [schedules, shifts] = await Promise.all([
    readSchedules(sql, { organizationId, ids, since }),
    sql<ShiftRow[]>`
      select id, user_id, source, layer, start_at, end_at from shifts
      where organization_id = ${organizationId} and id = any(${running})`,
  ]);
  const shiftOf = new Map(shifts.map((row) => [row.id, recordedOf(row)]));
  return rows.map(({ shift_id, advanced_to, edits, seen_edits, oncall_schedule_id: id }) => {
    const known = schedules.get(id);
    const running = shift_id === null ? null : shiftOf.get(shift_id);
    if (!known || running === undefined) throw new Error(`the shift cursor of ${id} leads nowhere`);
    const { name, timezone, history } = known;
    return {
      schedule: { organization_id: organizationId, id, name, timezone },
      cursor: { advanced_to, running, edits, seen_edits },
      history,
    };
  });
}

const recordedOf = ({ start_at, end_at, layer, ...row }: ShiftRow): RecordedShift => ({
  ...row,
  layer: layer ?? 'override',
  start: start_at,
  end: end_at,
});

/** Writes shifts, their events, the advanced cursors and the notices. */
export async function saveShifts(
  context: LedgerContext,
  changes: readonly ShiftChanges[],
  now: Temporal.Instant,
): Promise<number> {
  const [, repeated] = await Promise.all([
    upsertShifts(context, changes),
    insertEvents(context, changes, now),
    updateShiftCursors(context, changes),
    insertShiftNotices(context, noticesOf(changes), now),
  ]);
  return repeated;
}

const noticesOf = (changes: readonly ShiftChanges[]) =>
  changes.flatMap(({ schedule: { organization_id }, intents }) =>
    intents.map((intent) => ({ organization_id, intent })),
  );

async function upsertShifts(
  { sql }: LedgerContext,
  changes: readonly ShiftChanges[],
): Promise<void> {
  const rows = changes.flatMap(({ schedule, advanced }) =>
    advanced.shifts.map(({ id, user_id, source, layer, start, end }) => ({
      organization_id: schedule.organization_id,
      oncall_schedule_id: schedule.id,
      id,
      user_id,
      source,
      layer: layer === 'override' ? null : layer,
      start_at: start,
      end_at: end,
    })),
  );
  if (rows.length === 0) return;
  await sql`
    insert into shifts ${namedRows(sql, 'shifts', rows)}
    on conflict (organization_id, id) do update set end_at = excluded.end_at`;
}

/** Answers how many were there already. */
async function insertEvents(
  { sql, ids }: LedgerContext,
  changes: readonly ShiftChanges[],
  now: Temporal.Instant,
): Promise<number> {
  const rows = changes.flatMap(({ schedule, advanced }) =>
    advanced.events.map((event) => ({
      organization_id: schedule.organization_id,
      oncall_schedule_id: schedule.id,
      shift_id: event.shift.id,
      type: event.type,
      id: ids.next(),
      at: event.at,
      recorded_at: now,
      announced: isAnnounced(event),
      reason: event.unannounced,
    })),
  );
  if (rows.length === 0) return 0;
  const inserted = await sql`
    insert into shift_events ${namedRows(sql, 'shift_events', rows)}
    on conflict (organization_id, shift_id, type) do nothing`;
  return rows.length - inserted.count;
}

async function updateShiftCursors(
  { sql }: LedgerContext,
  changes: readonly ShiftChanges[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ schedule, advanced: { cursor, wakeAt } }) => ({
    organization_id: schedule.organization_id,
    oncall_schedule_id: schedule.id,
    seen_edits: cursor.seen_edits,
    advanced_to: cursor.advanced_to,
    shift_id: cursor.running?.id ?? null,
    wake_at: wakeAt,
  }));
  await sql`
    update shift_cursors w
    set seen_edits = r.seen_edits, advanced_to = r.advanced_to, shift_id = r.shift_id,
      wake_at = r.wake_at
    from json_populate_recordset(null::shift_cursors, ${json(sql, rows)}) r
    where w.organization_id = r.organization_id and w.oncall_schedule_id = r.oncall_schedule_id`;
}
