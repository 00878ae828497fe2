const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

export type Age = { readonly unit: 'minute' | 'hour' | 'day' | 'week'; readonly count: number };

/** In its largest whole unit; null below a minute. Clocks that differ make nothing of the future. */
export function ageOf(at: number, now: number): Age | null {
  const ms = now - at;
  if (ms < MINUTE) return null;
  if (ms < HOUR) return { unit: 'minute', count: Math.floor(ms / MINUTE) };
  if (ms < DAY) return { unit: 'hour', count: Math.floor(ms / HOUR) };
  if (ms < 2 * WEEK) return { unit: 'day', count: Math.floor(ms / DAY) };
  return { unit: 'week', count: Math.floor(ms / WEEK) };
}
