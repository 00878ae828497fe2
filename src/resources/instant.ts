/** An instant that a request wrote, to the millisecond, as times are stored. */
export const storedInstant = (text: string): Temporal.Instant =>
  Temporal.Instant.from(text).round({ smallestUnit: 'millisecond', roundingMode: 'floor' });
