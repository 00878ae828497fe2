/** A formatter takes a quarter of a millisecond to make, and most schedules have the same few zones. */
const known = new Set<string>();
const KNOWN_MAX = 1_000;

/** Whether it is a time zone that the runtime knows. */
export function isTimeZone(name: string): boolean {
  if (known.has(name)) return true;
  try {
    // Temporal would accept whole timestamps too.
    new Intl.DateTimeFormat('en', { timeZone: name });
    clockIn(name, Temporal.Instant.fromEpochMilliseconds(0));
    if (known.size < KNOWN_MAX) known.add(name);
    return true;
  } catch {
    return false;
  }
}

/** The local time in a zone. Intl knows old names that Temporal does not, such as IST. */
export function clockIn(timezone: string, at: Temporal.Instant): Temporal.ZonedDateTime {
  try {
    return at.toZonedDateTimeISO(timezone);
  } catch {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions();
    return at.toZonedDateTimeISO(timeZone);
  }
}
