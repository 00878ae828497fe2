// How many incidents were opened in each of the last 24 hours, as the report of the hours counts them.
import type { Hour } from '../reports/figures.ts';

const HOUR = 3_600_000;
const HOURS = 24;

/** The beginning of the first of them; the last one is not over. */
export const lastDayFrom = (now: number): number =>
  Math.floor(now / HOUR) * HOUR - (HOURS - 1) * HOUR;

export const lastDayTo = (from: number): number => from + HOURS * HOUR;

export type HourCount = { readonly start: number; readonly opened: number };

// From Sunday, as Date counts them.
const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** From hours of UTC, of which no day has one twice. */
export function lastDayCounts(from: number, hours: readonly Hour[]): readonly HourCount[] {
  const opened = new Map(hours.map((one) => [`${one.weekday} ${one.hour}`, one.opened]));
  return Array.from({ length: HOURS }, (_, index) => {
    const start = from + index * HOUR;
    const date = new Date(start);
    const key = `${days[date.getUTCDay()]} ${date.getUTCHours()}`;
    return { start, opened: opened.get(key) ?? 0 };
  });
}

/** The hour with the most; of several, the latest. Null: there were none. */
export function busiestOf(counts: readonly HourCount[]): HourCount | null {
  const most = Math.max(0, ...counts.map(({ opened }) => opened));
  return most === 0 ? null : (counts.findLast(({ opened }) => opened === most) ?? null);
}
