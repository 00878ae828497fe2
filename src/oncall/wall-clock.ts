const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const MIDNIGHT = '00:00';

/**
 * The instant of a local time on a day: the first instant after the gap when the time is skipped,
 * its first occurrence when there are two.
 */
export function instantOf(
  date: Temporal.PlainDate,
  time: string | undefined,
  timezone: string,
): Temporal.Instant {
  const wall = date.toPlainDateTime(Temporal.PlainTime.from(time ?? MIDNIGHT));
  const first = wall.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  if (first.toPlainDateTime().equals(wall)) return first.toInstant();
  // In a gap this reading lies before the change of the clock, which is the gap's end as well.
  return (first.getTimeZoneTransition('next') ?? first).toInstant();
}

/** The local day of an instant. */
export function dateOf(at: Temporal.Instant, timezone: string): Temporal.PlainDate {
  return at.toZonedDateTimeISO(timezone).toPlainDate();
}

/** How many days after monday a weekday is. */
export function weekdayIndex(name: string): number {
  const index = WEEKDAYS.indexOf(name);
  if (index < 0) throw new RangeError(`${name} is not a weekday`);
  return index;
}

/** The latest day not after this one that is the given weekday. */
export function weekdayOnOrBefore(date: Temporal.PlainDate, name: string): Temporal.PlainDate {
  return date.subtract({ days: (date.dayOfWeek - 1 - weekdayIndex(name) + 7) % 7 });
}
