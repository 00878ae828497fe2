// The watcher of one schedule: which shifts have begun and ended since it was looked at last, and
// whom edits moved. What was judged once is never judged again, so looking more often is harmless.
import { incidentsLimits } from '../limits/incidents.ts';
import { earlier, isAfter, later } from '../oncall/order.ts';
import { type History, scheduleAsOf } from '../oncall/revisions/history.ts';
import { movesIn } from '../oncall/revisions/moves.ts';
import type { Interval, Move, Schedule, Shift } from '../oncall/schedule.ts';
import { nextBoundary, shiftAt, shiftsIn } from '../oncall/shifts.ts';

/** A shift as it is recorded: whatever becomes of it, its id stays. */
export type RecordedShift = Shift & { readonly id: string };

/** How far a schedule has been judged, `advanced_to` itself included. */
export type Watch = {
  readonly advanced_to: Temporal.Instant;
  /** The shift that ran then. */
  readonly running: RecordedShift | null;
  /** Changes of the schedule and its overrides so far, and those whose effect was looked at. */
  readonly edits: number;
  readonly seen_edits: number;
};

export const shiftEventTypes = ['start', 'end'] as const;

/** One edge of a shift. */
export type ShiftEvent = {
  readonly type: (typeof shiftEventTypes)[number];
  readonly at: Temporal.Instant;
  readonly shift: RecordedShift;
  /** Why nobody is told; null when they are. */
  readonly unannounced: string | null;
};

export const isAnnounced = (event: ShiftEvent): boolean => event.unannounced === null;

export type Looked = {
  readonly watch: Watch;
  /** Those that are new, or end otherwise than was expected. */
  readonly shifts: readonly RecordedShift[];
  /** In their order: a shift ends before the next one starts. */
  readonly events: readonly ShiftEvent[];
  /** Per person, what edits gave or took and no start that is announced tells already. */
  readonly moves: ReadonlyMap<string, readonly Move[]>;
  /** When to look again; null when only an edit can change anything. */
  readonly wakeAt: Temporal.Instant | null;
};

type Looking = {
  readonly history: History;
  readonly now: Temporal.Instant;
  readonly newId: () => string;
};

/** So much is recorded at once; after a longer absence, the rest is looked at right after. */
const shiftsAtOnce = 100;
/** The search for a boundary ends here; looking in vain once a week costs nothing. */
const aheadHours = 7 * 24;
const overSoon = 'it was over before it could be announced';

/** Nothing has changed; it is to be looked at again then. */
export const putOff = (watch: Watch, wakeAt: Temporal.Instant): Looked => ({
  ...{ watch, wakeAt },
  ...{ shifts: [], events: [], moves: new Map() },
});

/** What is to be recorded and announced of a schedule now. */
export function look(watch: Watch, { history, now, newId }: Looking): Looked {
  const { advanced_to, running, edits } = watch;
  if (isAfter(advanced_to, now)) return putOff(watch, advanced_to);
  const schedule = scheduleAsOf(history);
  const stretches = stretchesIn(schedule, { from: advanced_to, to: now });
  const left = stretches[shiftsAtOnce];
  const until = left?.start ?? now;
  const shifts = recorded(watch, stretches.slice(0, shiftsAtOnce), newId);
  const current = shifts.findLast((one) => isAfter(one.end, until)) ?? null;
  const looked = {
    watch: { ...watch, advanced_to: until, running: current },
    shifts: shifts.filter((one) => one.id !== running?.id || !one.end.equals(running.end)),
    events: shifts.flatMap((one) => eventsOf(one, { running, current })),
  };
  if (left) return { ...looked, moves: new Map(), wakeAt: until };
  return {
    ...looked,
    watch: { ...looked.watch, seen_edits: edits },
    moves: movesOf(watch, { history, now, current }),
    wakeAt: nextLook(schedule, current, now),
  };
}

/** What was effective in between, as far as is recorded at once; at its end, whole. */
function stretchesIn(schedule: Schedule, { from, to }: Interval): readonly Shift[] {
  const past = from.equals(to) ? [] : shiftsIn(schedule, { from, to }, shiftsAtOnce + 1);
  const current = shiftAt(schedule, to);
  if (!current) return past;
  const before = past.filter((one) => isAfter(current.start, one.start));
  return [...before, { ...current, start: later(current.start, from) }];
}

/** The running shift, ended or going on, then those that began since. */
function recorded(
  { advanced_to, running }: Watch,
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

/** The end of the shift that ran and the start of the one that runs are news; the rest is past. */
function eventsOf(shift: RecordedShift, { running, current }: Edges): readonly ShiftEvent[] {
  const isOld = shift.id === running?.id;
  const isCurrent = shift === current;
  const start: ShiftEvent = {
    ...{ type: 'start', at: shift.start, shift },
    unannounced: isCurrent ? null : overSoon,
  };
  const end: ShiftEvent = {
    ...{ type: 'end', at: shift.end, shift },
    unannounced: isOld ? null : overSoon,
  };
  return [...(isOld ? [] : [start]), ...(isCurrent ? [] : [end])];
}

type Moved = Pick<Looking, 'history' | 'now'> & { readonly current: RecordedShift | null };

/** Whoever is told of a start is not told by a second notice that they gained that shift. */
function movesOf(watch: Watch, moved: Moved): Looked['moves'] {
  const { history, now, current } = moved;
  if (watch.edits === watch.seen_edits) return new Map();
  const [before, after] = [scheduleAsOf(history, watch.seen_edits), scheduleAsOf(history)];
  const moves = movesIn(before, after, {
    from: now,
    to: now.add({ hours: incidentsLimits.shiftsMovedDays * 24 }),
  });
  if (!current || current.id === watch.running?.id) return moves;
  const untold = (moves.get(current.user_id) ?? []).flatMap((move): readonly Move[] => {
    if (move.type === 'lost') return [move];
    const start = later(move.start, current.end);
    const isLeft = move.end === null || isAfter(move.end, start);
    return isLeft ? [{ ...move, start }] : [];
  });
  const others = [...moves].filter(([user]) => user !== current.user_id);
  return new Map(untold.length > 0 ? [...others, [current.user_id, untold]] : others);
}

function nextLook(schedule: Schedule, current: Shift | null, now: Temporal.Instant) {
  const farthest = now.add({ hours: aheadHours });
  if (current) return earlier(current.end, farthest);
  if (schedule.revisions.at(-1)?.archived) return null;
  return nextBoundary(schedule, { from: now, to: farthest }) ?? farthest;
}
