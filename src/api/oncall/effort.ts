// What one request may ask of a schedule.

import { computingLimits } from '../../limits/computing.ts';
import { queryLimits } from '../../limits/queries.ts';
import { changesPerYear } from '../../oncall/revisions/changes.ts';
import type { Interval, Schedule, Shift } from '../../oncall/schedule.ts';
import { timeText } from '../../storage/records/rows.ts';
import { invalid } from '../failures.ts';

const DAYS_PER_YEAR = 365;

/** Whether walking through them holds up nobody. */
export function isCheap(schedules: readonly Schedule[], interval: Interval): boolean {
  const changes = schedules.reduce((sum, each) => sum + changesIn(each, interval), 0);
  return changes <= computingLimits.slightChanges;
}

/** How often its turns and windows change, at most. */
export const changesIn = (schedule: Schedule, { from, to }: Interval): number =>
  (changesPerYear(schedule) * to.since(from).total('hours')) / (24 * DAYS_PER_YEAR);

/** Refuses an interval in which a schedule changes more often than one request may walk through. */
export function checkEffort(schedule: Schedule, interval: Interval): void {
  if (isAffordable(schedule, interval)) return;
  const days = daysPossible(schedule);
  const message = `must be at most ${days} days after from, because the schedule changes very often`;
  throw invalid([{ path: 'to', message }]);
}

/** As much of an interval from its start on as one request may walk through. */
export function affordablePart(schedule: Schedule, interval: Interval): Interval {
  if (isAffordable(schedule, interval)) return interval;
  const { from } = interval;
  return { from, to: from.add({ hours: daysPossible(schedule) * 24 }) };
}

const isAffordable = (schedule: Schedule, { from, to }: Interval): boolean =>
  to.since(from).total('hours') <= daysPossible(schedule) * 24;

const daysPossible = (schedule: Schedule): number =>
  Math.floor((queryLimits.changes / changesPerYear(schedule)) * DAYS_PER_YEAR);

/** Refuses more shifts than one answer holds. */
export function bounded(shifts: readonly Shift[]): readonly Shift[] {
  const first = shifts[queryLimits.shifts];
  if (first === undefined) return shifts;
  const until = timeText(first.start);
  const message = `covers more than ${queryLimits.shifts} shifts: request those until ${until}, then the rest`;
  throw invalid([{ path: 'to', message }]);
}
