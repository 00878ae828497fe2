/** Milliseconds: what is stored is never between two of them. */
const stored = { smallestUnit: 'millisecond', roundingMode: 'floor' } as const;

/** An instant that a tool wrote, cut to the precision that is stored; undefined if it wrote none. */
export function instantOf(text: string | undefined): Temporal.Instant | undefined {
  // Go writes "no end yet" as its zero time.
  if (text === undefined || text.startsWith('0001-')) return undefined;
  try {
    return Temporal.Instant.from(text).round(stored);
  } catch {
    return undefined;
  }
}
