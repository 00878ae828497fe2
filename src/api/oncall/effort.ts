// Refuses a request that takes more work, or has a longer answer, than one request may.
import { queryLimits } from '../../limits/queries.ts';
import { affordableDays, isAffordable } from '../../oncall/effort.ts';
import type { Interval, Schedule, Shift } from '../../oncall/schedule.ts';
import { timeText } from '../../storage/records/rows.ts';
import { invalid } from '../failures.ts';

/** Refuses an interval in which a schedule changes more often than one request may walk through. */
export function checkEffort(schedule: Schedule, interval: Interval): void {
  if (isAffordable(schedule, interval)) return;
  const days = affordableDays(schedule);
  const message = `must be at most ${days} days after from, because the schedule changes very often`;
  throw invalid([{ path: 'to', message }]);
}

/** Refuses more shifts than one answer holds. */
export function bounded<One extends Shift>(shifts: readonly One[]): readonly One[] {
  const first = shifts[queryLimits.shifts];
  if (first === undefined) return shifts;
  const until = timeText(first.start);
  const message = `covers more than ${queryLimits.shifts} shifts: request those until ${until}, then the rest`;
  throw invalid([{ path: 'to', message }]);
}
