import type { DueShiftCursor, ShiftChanges } from '../../src/engine/ports/shifts.ts';
import type { History } from '../../src/oncall/revisions/history.ts';
import type { RecordedShift, ShiftEvent } from '../../src/shifts/advance.ts';
import type { ShiftIntent } from '../../src/shifts/notice.ts';
import type { MemoryLedger } from '../../src/what-if/memory/ledger.ts';
import { insert } from '../../src/what-if/memory/outbox.ts';
import type { Edit } from '../schedule-history.ts';

export type ShiftCursorRow = DueShiftCursor & {
  readonly editedAt: Temporal.Instant;
  readonly wakeAt: Temporal.Instant | null;
};
export type ShiftRow = RecordedShift & { readonly oncall_schedule_id: string };

export type Edited = Pick<DueShiftCursor, 'schedule'> & { readonly now: Temporal.Instant };
export type Change = (history: History, edit: Edit) => History;

/** The part of the ledger that schedules and their shifts are written to. */
type ShiftLedger = Pick<
  MemoryLedger,
  'outbox' | 'incidents' | 'put' | 'addEntries' | 'recipientKeyOf'
> & {
  readonly shiftCursors: Map<string, ShiftCursorRow>;
  readonly shifts: Map<string, ShiftRow>;
  readonly shiftEvents: Map<string, ShiftEvent>;
};

/** A new schedule, or an edit of one: after every earlier edit, and in no time advanced over. */
export function editSchedule(ledger: ShiftLedger, { schedule, now }: Edited, change: Change): void {
  const row = ledger.shiftCursors.get(schedule.id) ?? {
    schedule,
    editedAt: now,
    wakeAt: null,
    cursor: { advanced_to: now, running: null, edits: 0, seen_edits: 1 },
    history: { revisions: [], overrides: [] },
  };
  const edit = row.cursor.edits + 1;
  const at = latest([now, row.editedAt, row.cursor.advanced_to]);
  const isSooner = row.wakeAt === null || Temporal.Instant.compare(at, row.wakeAt) < 0;
  ledger.put(ledger.shiftCursors, schedule.id, {
    ...row,
    editedAt: at,
    wakeAt: isSooner ? at : row.wakeAt,
    cursor: { ...row.cursor, edits: edit },
    history: change(row.history, { edit, at }),
  });
}

const latest = (times: readonly [Temporal.Instant, ...Temporal.Instant[]]) =>
  times.reduce((one, other) => (Temporal.Instant.compare(one, other) >= 0 ? one : other));

/** Those longest due first. */
export function dueShiftCursorsIn(
  { shiftCursors }: ShiftLedger,
  now: Temporal.Instant,
): readonly ShiftCursorRow[] {
  const at = ({ wakeAt }: ShiftCursorRow) => wakeAt?.epochMilliseconds ?? Infinity;
  return [...shiftCursors.values()]
    .filter((row) => at(row) <= now.epochMilliseconds)
    .sort((a, b) => at(a) - at(b) || (a.schedule.id < b.schedule.id ? -1 : 1));
}

/** With as much of the past as any of them needs, and no more. */
export function withNeededHistory(rows: readonly ShiftCursorRow[]): readonly DueShiftCursor[] {
  const since = Math.min(...rows.map(({ cursor }) => cursor.advanced_to.epochMilliseconds));
  return rows.map(({ schedule, cursor, history: { revisions, overrides, inactive = [] } }) => {
    const before = revisions.findLastIndex(({ from }) => from.epochMilliseconds < since);
    const active = overrides.filter(({ end, ended }) => {
      const isOver = ended !== null && ended.at.epochMilliseconds < since;
      return end.epochMilliseconds > since && !isOver;
    });
    const away = inactive.filter(({ end }) => end === null || end.epochMilliseconds >= since);
    const history = {
      revisions: revisions.slice(Math.max(0, before)),
      overrides: active,
      ...(away.length > 0 && { inactive: away }),
    };
    return { schedule, cursor, history };
  });
}

export const wakeShiftCursor = (
  ledger: Pick<ShiftLedger, 'shiftCursors' | 'put'>,
  row: ShiftCursorRow,
  wakeAt: Temporal.Instant,
): void => ledger.put(ledger.shiftCursors, row.schedule.id, { ...row, wakeAt });

/** Answers how many of the events were there already. */
export function saveShiftsIn(
  ledger: ShiftLedger,
  changes: readonly ShiftChanges[],
  now: Temporal.Instant,
): number {
  let repeated = 0;
  for (const { schedule, advanced, intents } of changes) {
    for (const shift of advanced.shifts)
      ledger.put(ledger.shifts, shift.id, { ...shift, oncall_schedule_id: schedule.id });
    for (const event of advanced.events) if (!insertEvent(ledger, event)) repeated += 1;
    const { organization_id, id } = schedule;
    const row = ledger.shiftCursors.get(id);
    if (row)
      ledger.put(ledger.shiftCursors, id, {
        ...row,
        cursor: advanced.cursor,
        wakeAt: advanced.wakeAt,
      });
    const notices = intents.map((intent) => ({ organization_id, intent }));
    insertShiftNotices(ledger, notices, now);
  }
  return repeated;
}

function insertEvent(ledger: ShiftLedger, event: ShiftEvent): boolean {
  const key = `${event.shift.id} ${event.type}`;
  if (ledger.shiftEvents.has(key)) return false;
  ledger.put(ledger.shiftEvents, key, event);
  return true;
}

const shiftRanks = { shift_end: 3, shift_start: 4, shift_change: 5 } as const;

function insertShiftNotices(
  ledger: ShiftLedger,
  notices: readonly { readonly organization_id: string; readonly intent: ShiftIntent }[],
  now: Temporal.Instant,
): void {
  for (const { organization_id, intent } of notices) {
    const { channel, address, kind, skipped: reason, story } = intent;
    const recipientKey = ledger.recipientKeyOf({ organization_id, channel, address });
    const orderingKey = kind === 'shift_change' ? null : `${recipientKey} ${story.schedule.id}`;
    const own = { ...intent, organization_id };
    insert(ledger, {
      intent: own,
      recipientKey,
      rank: shiftRanks[kind],
      orderingKey,
      reason,
      createdAt: now,
    });
  }
}
