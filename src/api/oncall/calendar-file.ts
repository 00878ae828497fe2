// The file of a calendar, computed from nothing but what is given.
import { queryLimits } from '../../limits/queries.ts';
import {
  type Calendar,
  type CalendarSchedule,
  calendarOf,
  entriesOf,
} from '../../notices/calendar.ts';
import type { Interval } from '../../oncall/schedule.ts';

export type CalendarInput = Omit<Calendar, 'entries' | 'isPersonal'> & {
  readonly schedules: readonly CalendarSchedule[];
  readonly interval: Interval;
  /** Whose shifts alone are shown; undefined: everybody's. */
  readonly userId: string | undefined;
};

export function calendarFile({ schedules, interval, userId, ...calendar }: CalendarInput): string {
  const entries = schedules
    .flatMap((schedule) => entriesOf(schedule, interval))
    .filter(({ shift }) => userId === undefined || shift.user_id === userId)
    .sort((one, other) => Temporal.Instant.compare(one.shift.start, other.shift.start))
    .slice(0, queryLimits.calendarEvents);
  return calendarOf({ ...calendar, isPersonal: userId !== undefined, entries });
}
