// Figures as pictures: how dark a cell is, how high a bar, and how a time reads.
import type { Weekday } from './search.ts';

export type Percentiles = { readonly median: number; readonly p90: number };
export type Figures = {
  readonly opened: number;
  readonly acknowledged: number;
  readonly acknowledge_seconds?: Percentiles;
  readonly resolved: number;
  readonly resolve_seconds?: Percentiles;
};
export type Week = Figures & { readonly date: string };
export type Hour = { readonly weekday: Weekday; readonly hour: number; readonly opened: number };

/** From 0, without any, to 4: by its share of the most. */
export function levelOf(count: number, most: number): 0 | 1 | 2 | 3 | 4 {
  if (count === 0) return 0;
  const level = Math.ceil((count / most) * 4);
  return level <= 1 ? 1 : level === 2 ? 2 : level === 3 ? 3 : 4;
}

export const mostOf = (counts: readonly number[]): number => Math.max(0, ...counts);

export type TimeBar = { readonly median: number; readonly p90: number };

/** In percent of the longest; null: the week has no such time. */
export function timeBars(times: readonly (Percentiles | undefined)[]): readonly (TimeBar | null)[] {
  const longest = mostOf(times.map((one) => one?.p90 ?? 0));
  const share = (seconds: number) => (longest === 0 ? 0 : (seconds / longest) * 100);
  return times.map((one) => (one ? { median: share(one.median), p90: share(one.p90) } : null));
}

/** In its two largest units: `[[3, 'hour'], [5, 'minute']]`. */
export function spanOf(
  seconds: number,
): readonly (readonly [number, 'day' | 'hour' | 'minute' | 'second'])[] {
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
    ['second', 1],
  ] as const;
  const first = units.findIndex(([, size]) => seconds >= size);
  const [unit, size] = units[first] ?? units[3];
  const next = units[first + 1];
  const whole = Math.floor(seconds / size);
  const rest = next && unit !== 'minute' ? Math.floor((seconds - whole * size) / next[1]) : 0;
  return [[whole, unit], ...(next && rest > 0 ? [[rest, next[0]] as const] : [])];
}
