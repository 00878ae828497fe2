import { queryLimits } from '../limits/queries.ts';
import type { Holder } from './circumstances.ts';
import { type Era, type Stretch, timelineOf } from './layer-precedence.ts';
import type { Interval, Schedule, Shift } from './schedule.ts';
import { type CutShift, withWholes } from './wholes.ts';
import { instantOf } from './zone.ts';

type ShiftSpan = { readonly start: number; readonly end: number; readonly holder: Holder };

/** The whole shift that an instant lies in, or so much of it as is followed in so many steps. */
export function shiftAt(
  schedule: Schedule,
  at: Temporal.Instant,
  most: number = queryLimits.shiftSteps,
): Shift | null {
  const { effectiveAt } = timelineOf(schedule);
  const here = effectiveAt(at.epochMilliseconds);
  if (!here.holder) return null;
  // This passes what does not end the shift: saves, and the windows and turns of other layers that
  // have nobody, or the same cover.
  const followed = (nextTo: (stretch: Stretch) => Stretch): Stretch => {
    let last = here;
    for (let step = 0; step < most; step += 1) {
      const next = nextTo(last);
      if (!isSame(next, here)) break;
      last = next;
    }
    return last;
  };
  const last = followed(({ end }) => effectiveAt(end));
  const first = followed(({ start }) => effectiveAt(start - 1));
  return shiftOf({ start: first.start, end: last.end, holder: last.holder ?? here.holder });
}

/**
 * The shifts of an interval, clipped to it, in their order, or so many of them. A shift that goes on
 * through saves has the layer's index in the latest of them.
 */
export function shiftsIn(
  schedule: Schedule,
  interval: Interval,
  most = Number.POSITIVE_INFINITY,
): readonly Shift[] {
  return collect(timelineOf(schedule).effectiveAt, interval, most);
}

/** The same, each with the whole shift that it is part of. */
export const cutShiftsIn = (schedule: Schedule, interval: Interval): readonly CutShift[] =>
  withWholes(shiftsIn(schedule, interval), timelineOf(schedule).effectiveAt, interval);

/**
 * The shifts of one layer, as if there were no other and no override. The index is the layer's
 * place in whatever revision is in force.
 */
export function layerShiftsIn(
  schedule: Schedule,
  interval: Interval,
  layer: number,
): readonly CutShift[] {
  const { layerAt } = timelineOf(schedule);
  const stretchAt = (at: number) => layerAt(layer, at);
  return withWholes(collect(stretchAt, interval), stretchAt, interval);
}

/** One layer's shifts through its moves in the list; `layer` is its place now, null if it is gone. */
export type Lane = { readonly layer: number | null; readonly shifts: readonly CutShift[] };

/** The shifts of each layer that was there in an interval, as if it were alone; those gone come last. */
export function lanesIn(schedule: Schedule, interval: Interval): readonly Lane[] {
  const { eraAt, layerAt } = timelineOf(schedule);
  const latest = schedule.revisions.at(-1)?.layers ?? [];
  const ids = new Set(latest.map(({ id }) => id));
  for (let at = interval.from.epochMilliseconds; at < interval.to.epochMilliseconds; ) {
    const { revision, end } = eraAt(at);
    for (const { id } of revision?.layers ?? []) ids.add(id);
    at = end;
  }
  return [...ids].map((id, index) => {
    const placeIn = ({ revision }: Era) => revision?.layers.findIndex((one) => one.id === id) ?? -1;
    const stretchAt = (at: number) => layerAt(placeIn(eraAt(at)), at);
    return {
      layer: index < latest.length ? index : null,
      shifts: withWholes(collect(stretchAt, interval), stretchAt, interval),
    };
  });
}

/**
 * The first instant after `from`, and not after `to`, at which another shift, or nobody, becomes
 * effective.
 */
export function nextBoundary(schedule: Schedule, { from, to }: Interval): Temporal.Instant | null {
  const { effectiveAt } = timelineOf(schedule);
  const here = effectiveAt(from.epochMilliseconds);
  let next = here;
  while (next.end <= to.epochMilliseconds) {
    const { end } = next;
    next = effectiveAt(end);
    if (!isSame(next, here)) return instantOf(end);
  }
  return null;
}

function collect(
  stretchAt: (at: number) => Stretch,
  { from, to }: Interval,
  most = Number.POSITIVE_INFINITY,
): readonly Shift[] {
  const [first, end] = [from.epochMilliseconds, to.epochMilliseconds];
  const shifts: ShiftSpan[] = [];
  for (let at = first; at < end; ) {
    const stretch = stretchAt(at);
    const { holder } = stretch;
    const last = shifts.at(-1);
    const until = Math.min(stretch.end, end);
    if (holder && last?.end === at && last.holder.source === holder.source)
      shifts.splice(-1, 1, { start: last.start, end: until, holder });
    else if (holder && shifts.length === most) break;
    else if (holder) shifts.push({ start: at, end: until, holder });
    at = until;
  }
  return shifts.map(shiftOf);
}

function isSame(one: Stretch, other: Stretch): boolean {
  return one.holder?.source === other.holder?.source;
}

function shiftOf({ start, end, holder }: ShiftSpan): Shift {
  const { user_id, layer, source } = holder;
  return { user_id, layer, source, start: instantOf(start), end: instantOf(end) };
}

/** The first whole shift that begins after `from`, before or at `to`. */
export function nextShift(schedule: Schedule, { from, to }: Interval): Shift | null {
  let at = nextBoundary(schedule, { from, to });
  while (at !== null) {
    const shift = shiftAt(schedule, at);
    if (shift !== null) return shift;
    at = nextBoundary(schedule, { from: at, to });
  }
  return null;
}
