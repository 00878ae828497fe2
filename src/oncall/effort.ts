// How much work it is to walk through the time of schedules, and how far one request may walk.
import { computingLimits } from '../limits/computing.ts';
import { queryLimits } from '../limits/queries.ts';
import { changesPerYear } from './revisions/changes.ts';
import type { Interval, Schedule } from './schedule.ts';

const DAYS_PER_YEAR = 365;

/** How often the turns and windows of a schedule change in an interval, at most. */
const changesIn = (schedule: Schedule, { from, to }: Interval): number =>
  (changesPerYear(schedule) * to.since(from).total('hours')) / (24 * DAYS_PER_YEAR);

/** The same with its overrides, as they are counted where many schedules share one request. */
export const stepsIn = (schedule: Schedule, interval: Interval): number =>
  changesIn(schedule, interval) + schedule.overrides.length;

/** Whether walking through all of them is fast enough for the thread that serves the API. */
export function isCheap(schedules: readonly Schedule[], interval: Interval): boolean {
  const changes = schedules.reduce((sum, each) => sum + changesIn(each, interval), 0);
  return changes <= computingLimits.slightChanges;
}

/**
 * The same where shifts are followed beyond the interval to their ends: a turn, and an override of
 * one person, may last for years through the changes of other layers.
 */
export const areCheapShifts = (schedules: readonly Schedule[], interval: Interval): boolean =>
  isCheap(schedules, interval) &&
  schedules.every(
    (each) => changesPerYear(each) * longestYears(each) <= computingLimits.slightChanges,
  );

function longestYears({ revisions, overrides }: Schedule): number {
  const turns = revisions.flatMap(({ layers }) =>
    layers.map(({ rotation: { length, unit } }) => (unit === 'weeks' ? length * 7 : length)),
  );
  const covers = overrides
    .filter(({ replaces_user_id }) => replaces_user_id !== undefined)
    .map(({ start, end }) => end.since(start).total('hours') / 24);
  return Math.max(0, ...turns, ...covers) / DAYS_PER_YEAR;
}

/** How many days of the schedule one request may walk through. */
export const affordableDays = (schedule: Schedule): number =>
  Math.floor((queryLimits.changes / changesPerYear(schedule)) * DAYS_PER_YEAR);

export const isAffordable = (schedule: Schedule, { from, to }: Interval): boolean =>
  to.since(from).total('hours') <= affordableDays(schedule) * 24;

/** As much of an interval, from its start, as one request may walk through. */
export function affordablePart(schedule: Schedule, interval: Interval): Interval {
  if (isAffordable(schedule, interval)) return interval;
  const { from } = interval;
  return { from, to: from.add({ hours: affordableDays(schedule) * 24 }) };
}

/** In how many whole years a schedule changes that often, at most. */
export const yearsWithin = (changes: number, schedule: Schedule): number =>
  Math.floor(changes / changesPerYear(schedule));

export const yearsAfter = (from: Temporal.Instant, years: number): Temporal.Instant =>
  from.toZonedDateTimeISO('UTC').add({ years }).toInstant();

/** In how many steps each shift is followed, where one request asks for so many schedules. */
export const shiftStepsOf = (schedules: number): number =>
  Math.max(queryLimits.shiftStepsMin, Math.floor(queryLimits.shiftSteps / schedules));
