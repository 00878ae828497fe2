import type { Interval, Schedule, Shift } from './schedule.ts';
import { nextBoundary, shiftAt } from './shifts.ts';

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
