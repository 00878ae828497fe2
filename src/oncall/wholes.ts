// What an interval cuts goes on beyond it: the whole shifts and gaps at its edges.
import { queryLimits } from '../limits/queries.ts';
import type { Gap } from './coverage.ts';
import { yearsAfter } from './effort.ts';
import { type Stretch, timelineOf } from './layer-precedence.ts';
import { later } from './order.ts';
import type { Interval, Schedule, Shift } from './schedule.ts';
import type { Span } from './spans.ts';
import { instantOf } from './zone.ts';

/** A shift as an interval cuts it, and from when to when it lasts. */
export type CutShift = Shift & { readonly whole: Span };

/** A gap from its start; the end is null if none is found within ten years. */
export type WholeGap = Omit<Gap, 'end'> & { readonly end: Temporal.Instant | null };

type Followed = {
  readonly stretchAt: (at: number) => Pick<Stretch, 'start' | 'end'>;
  readonly isOn: (at: number) => boolean;
};

/** Neither is followed further than this, nor in more steps. */
type Bounds = { readonly limit: number; readonly most: number };

/** When something that lasts to an instant ends; null if not within the bounds. */
export function endFrom(at: number, followed: Followed, bounds: Bounds): number | null {
  const end = endAfter(at, followed, bounds);
  return end >= bounds.limit || followed.isOn(end) ? null : end;
}

/** When something that lasts to an instant ends, as far as it is followed. */
function endAfter(at: number, { stretchAt, isOn }: Followed, { limit, most }: Bounds): number {
  let end = at;
  for (let step = 0; step < most && end < limit && isOn(end); step += 1) end = stretchAt(end).end;
  return end;
}

/** When something that lasts from an instant has begun, as far as it is followed back. */
function startBefore(at: number, { stretchAt, isOn }: Followed, { limit, most }: Bounds): number {
  let start = at;
  for (let step = 0; step < most && start > limit && isOn(start - 1); step += 1)
    start = stretchAt(start - 1).start;
  return start;
}

/** How far gaps are followed, and shifts back. */
const YEARS = 10;

/** The oldest instant from which on what is cut at another is known. */
export const knownFrom = (at: Temporal.Instant): Temporal.Instant => yearsAfter(at, -YEARS);

/** Shifts of an interval, each with the whole that it is part of, as far as it is followed. */
export function withWholes(
  shifts: readonly Shift[],
  stretchAt: (at: number) => Stretch,
  interval: Interval,
): readonly CutShift[] {
  const [from, to] = [interval.from.epochMilliseconds, interval.to.epochMilliseconds];
  const oldest = knownFrom(interval.from).epochMilliseconds;
  const most = queryLimits.shiftSteps;
  return shifts.map((shift): CutShift => {
    const [start, end] = [shift.start.epochMilliseconds, shift.end.epochMilliseconds];
    if (start > from && end < to) return { ...shift, whole: shift };
    const isOn = (at: number) => stretchAt(at).holder?.source === shift.source;
    const followed = { stretchAt, isOn };
    const begun = start > from ? start : startBefore(start, followed, { limit: oldest, most });
    // It may be a turn of 1,000 weeks, which is one step.
    const ends = end < to ? end : endAfter(end, followed, { limit: Infinity, most });
    return {
      ...shift,
      whole: { start: instantOf(Math.max(begun, oldest)), end: instantOf(ends) },
    };
  });
}

type GapSearch = {
  readonly interval: Interval;
  /** Whether the pages of a person reach nobody, from an instant on. */
  readonly missing: (userId: string) => boolean;
  readonly now: Temporal.Instant;
  /** In how many steps each gap is followed. */
  readonly most: number;
  /** Whether the gaps are those by design; absent: they are the others. */
  readonly isByDesign?: boolean;
};

/** A walk back from an instant: no further than `since` is known, and in so many steps. */
type Back = {
  readonly at: Temporal.Instant;
  readonly since: Temporal.Instant;
  readonly most: number;
};

/** When the shift at an instant began, as far as it is followed back; null: there is none. */
export function shiftBegin(schedule: Schedule, { at, ...bounds }: Back): Temporal.Instant | null {
  const { effectiveAt } = timelineOf(schedule);
  const now = at.epochMilliseconds;
  const source = effectiveAt(now).holder?.source;
  if (source === undefined) return null;
  const isOn = (time: number) => effectiveAt(time).holder?.source === source;
  return instantOf(startBefore(now, { stretchAt: effectiveAt, isOn }, backTo(bounds)));
}

const backTo = ({ since, most }: Omit<Back, 'at'>): Bounds => ({
  limit: since.epochMilliseconds,
  most,
});

/**
 * When the first began of what an instant cuts: the shift or the gap then, and what each layer has
 * for itself. All as far as they are followed back.
 */
export function beginAround(schedule: Schedule, { at, ...bounds }: Back): Temporal.Instant {
  const { effectiveAt, eraAt, layerAt } = timelineOf(schedule);
  const now = at.epochMilliseconds;
  const { revision } = eraAt(now);
  const lanes = revision?.layers.map(({ id }) => (time: number) => {
    const layers = eraAt(time).revision?.layers ?? [];
    return layerAt(
      layers.findIndex((one) => one.id === id),
      time,
    );
  });
  const begins = [effectiveAt, ...(lanes ?? [])].map((stretchAt, index) => {
    const { holder } = stretchAt(now);
    // The time without anybody of a single layer is shown nowhere.
    if (holder === null && index > 0) return now;
    const isOn = (time: number) =>
      stretchAt(time).holder?.source === holder?.source && eraAt(time).layers.length > 0;
    return startBefore(now, { stretchAt, isOn }, backTo(bounds));
  });
  return instantOf(Math.min(now, ...begins));
}

/** Gaps of an interval, those at its edges whole. */
export function wholeGaps(
  gaps: readonly Gap[],
  schedule: Schedule,
  { interval, missing, now, most, isByDesign = false }: GapSearch,
): readonly WholeGap[] {
  const { effectiveAt, eraAt, byDesignAt } = timelineOf(schedule);
  const [from, to] = [interval.from.epochMilliseconds, interval.to.epochMilliseconds];
  const since = now.epochMilliseconds;
  // Before that nobody was missing.
  const stretchAt = (at: number) => {
    const [stretch, design] = [effectiveAt(at), byDesignAt(at)];
    const start = Math.max(stretch.start, design.start);
    const end = Math.min(stretch.end, design.end);
    return at < since
      ? { start, end: Math.min(end, since) }
      : { start: Math.max(start, since), end };
  };
  const isEmpty = (at: number) => {
    if (byDesignAt(at).isOpen !== isByDesign) return false;
    const { holder } = effectiveAt(at);
    return holder === null || (at >= since && missing(holder.user_id));
  };
  // Before a schedule is made, or while it is archived, nobody is meant to be on call.
  const isIntended = (at: number) => isEmpty(at) && eraAt(at).layers.length > 0;
  const oldest = knownFrom(interval.from).epochMilliseconds;
  return gaps.map((gap): WholeGap => {
    const [start, end] = [gap.start.epochMilliseconds, gap.end.epochMilliseconds];
    if (start > from && end < to) return gap;
    const isCut = start <= from && gap.reason.type !== 'not_in_force';
    const begun = isCut
      ? startBefore(start, { stretchAt, isOn: isIntended }, { limit: oldest, most })
      : start;
    const limit = later(interval.to, yearsAfter(gap.start, YEARS)).epochMilliseconds;
    const ends = end < to ? end : endFrom(end, { stretchAt, isOn: isEmpty }, { limit, most });
    return {
      ...gap,
      start: instantOf(Math.max(begun, oldest)),
      end: ends === null ? null : instantOf(ends),
    };
  });
}
