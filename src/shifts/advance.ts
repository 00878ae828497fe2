// Advances the cursor of one schedule to now: which shifts have begun and ended since, and whose
// shifts edits moved. Time behind the cursor is never evaluated again, so a repeat is harmless.
import { incidentsLimits } from '../limits/incidents.ts';
import { earlier, isAfter, later } from '../oncall/order.ts';
import { type History, scheduleAsOf } from '../oncall/revisions/history.ts';
import { movesIn, withinAndBeyond } from '../oncall/revisions/moves.ts';
import type { Interval, Move, Schedule, Shift } from '../oncall/schedule.ts';
import { nextBoundary, shiftAt, shiftsIn } from '../oncall/shifts.ts';

/** A shift as it is recorded: whatever becomes of it, its id stays. */
export type RecordedShift = Shift & { readonly id: string };

/** Up to when the shifts of a schedule are recorded, `advanced_to` itself included. */
export type ShiftCursor = {
  readonly advanced_to: Temporal.Instant;
  /** The shift that ran then. */
  readonly running: RecordedShift | null;
  /** Changes of the schedule and its overrides so far, and those whose effect is recorded. */
  readonly edits: number;
  readonly seen_edits: number;
};

export const shiftEventTypes = ['start', 'end'] as const;

/** One edge of a shift. */
export type ShiftEvent = {
  readonly type: (typeof shiftEventTypes)[number];
  readonly at: Temporal.Instant;
  readonly shift: RecordedShift;
  /** Why nobody is notified; null when they are. */
  readonly unannounced: string | null;
};

export const isAnnounced = (event: ShiftEvent): boolean => event.unannounced === null;

export type Advance = {
  readonly cursor: ShiftCursor;
  /** New ones, and those whose end has changed. */
  readonly shifts: readonly RecordedShift[];
  /** In their order: a shift ends before the next one starts. */
  readonly events: readonly ShiftEvent[];
  /** Per person, the shifts that edits gave or took, without those whose start is announced. */
  readonly moves: ReadonlyMap<string, readonly Move[]>;
  /** When to advance again; null when only an edit can change anything. */
  readonly wakeAt: Temporal.Instant | null;
};

type AdvanceOptions = {
  readonly history: History;
  readonly now: Temporal.Instant;
  readonly newId: () => string;
};

/** As many are recorded at once; after a longer absence, the rest follows right after. */
const batchSize = 100;
/** The search for a boundary ends here; one fruitless search a week costs nothing. */
const aheadHours = 7 * 24;
const overSoon = 'the shift ended before it could be announced';

/** Nothing has changed; the cursor advances again then. */
export const postponed = (cursor: ShiftCursor, wakeAt: Temporal.Instant): Advance => ({
  cursor,
  wakeAt,
  shifts: [],
  events: [],
  moves: new Map(),
});

/** What is to be recorded and announced of a schedule up to now. */
export function advanceCursor(
  cursor: ShiftCursor,
  { history, now, newId }: AdvanceOptions,
): Advance {
  const { advanced_to, running, edits } = cursor;
  if (isAfter(advanced_to, now)) return postponed(cursor, advanced_to);
  const schedule = scheduleAsOf(history);
  const stretches = stretchesIn(schedule, { from: advanced_to, to: now });
  const left = stretches[batchSize];
  const until = left?.start ?? now;
  const shifts = recorded(cursor, stretches.slice(0, batchSize), newId);
  const current = shifts.findLast((one) => isAfter(one.end, until)) ?? null;
  const advance = {
    cursor: { ...cursor, advanced_to: until, running: current },
    shifts: shifts.filter((one) => one.id !== running?.id || !one.end.equals(running.end)),
    events: shifts.flatMap((one) => eventsOf(one, { running, current })),
  };
  if (left) return { ...advance, moves: new Map(), wakeAt: until };
  return {
    ...advance,
    cursor: { ...advance.cursor, seen_edits: edits },
    moves: movesOf(cursor, { history, now, current }),
    wakeAt: nextAdvance(schedule, current, now),
  };
}

/** The effective shifts in between, as many as are recorded at once; the last one whole. */
function stretchesIn(schedule: Schedule, { from, to }: Interval): readonly Shift[] {
  const past = from.equals(to) ? [] : shiftsIn(schedule, { from, to }, batchSize + 1);
  const current = shiftAt(schedule, to);
  if (!current) return past;
  // Of a shift with very many changes, the start may not be found: it is the same one all the same.
  const last = past.at(-1);
  const isSame = last?.source === current.source && last.end.equals(to);
  const start = isSame ? last.start : later(current.start, from);
  const before = past.filter((one) => isAfter(start, one.start));
  return [...before, { ...current, start }];
}

/** The running shift, ended or not, then those that began since. */
function recorded(
  { advanced_to, running }: ShiftCursor,
  stretches: readonly Shift[],
  newId: () => string,
): readonly RecordedShift[] {
  const begun = (one: Shift): RecordedShift => ({ ...one, id: newId() });
  if (!running) return stretches.map(begun);
  const [first, ...rest] = stretches;
  // Two edits of one instant may give the same turn to one person and then to another.
  const isSame = first?.source === running.source && first.user_id === running.user_id;
  if (isSame && first.start.equals(advanced_to))
    return [{ ...running, end: first.end }, ...rest.map(begun)];
  return [{ ...running, end: advanced_to }, ...stretches.map(begun)];
}

type Edges = Readonly<Record<'running' | 'current', RecordedShift | null>>;

/** The end of the shift that ran and the start of the one that runs are announced, no others. */
function eventsOf(shift: RecordedShift, { running, current }: Edges): readonly ShiftEvent[] {
  const isOld = shift.id === running?.id;
  const isCurrent = shift === current;
  const start: ShiftEvent = {
    type: 'start',
    at: shift.start,
    shift,
    unannounced: isCurrent ? null : overSoon,
  };
  const end: ShiftEvent = {
    type: 'end',
    at: shift.end,
    shift,
    unannounced: isOld ? null : overSoon,
  };
  return [...(isOld ? [] : [start]), ...(isCurrent ? [] : [end])];
}

type MoveContext = Pick<AdvanceOptions, 'history' | 'now'> & {
  readonly current: RecordedShift | null;
};

/** Who is notified of a start gets no second notice about having gained that shift. */
function movesOf(cursor: ShiftCursor, context: MoveContext): Advance['moves'] {
  const { history, now, current } = context;
  if (cursor.edits === cursor.seen_edits) return new Map();
  const [before, after] = [scheduleAsOf(history, cursor.seen_edits), scheduleAsOf(history)];
  const to = now.add({ hours: incidentsLimits.shiftsMovedDays * 24 });
  const moves = movesIn(before, after, withinAndBeyond({ from: now, to }));
  if (!current || current.id === cursor.running?.id) return moves;
  const remaining = (moves.get(current.user_id) ?? []).flatMap((move): readonly Move[] => {
    if (move.type === 'lost') return [move];
    const start = later(move.start, current.end);
    const isLeft = move.end === null || isAfter(move.end, start);
    return isLeft ? [{ ...move, start }] : [];
  });
  const others = [...moves].filter(([user]) => user !== current.user_id);
  return new Map(remaining.length > 0 ? [...others, [current.user_id, remaining]] : others);
}

function nextAdvance(schedule: Schedule, current: Shift | null, now: Temporal.Instant) {
  const farthest = now.add({ hours: aheadHours });
  if (current) return earlier(current.end, farthest);
  if (schedule.revisions.at(-1)?.archived) return null;
  return nextBoundary(schedule, { from: now, to: farthest }) ?? farthest;
}
