// Pages by day, as bars: each as high as its share of the highest.
import { type State, states } from './filters.ts';

export type DayCounts = { readonly date: string } & Readonly<Record<State, number>>;

export type Bar = {
  readonly date: string;
  readonly total: number;
  /** In percent of the highest. */
  readonly height: number;
  /** What it consists of, without what is zero. */
  readonly parts: readonly StateCount[];
};
type StateCount = { readonly state: State; readonly count: number };

/** So that one page beside a day of thousands is still seen. */
const LEAST_PERCENT = 5;

export function barsOf(days: readonly DayCounts[]): readonly Bar[] {
  const bars = days.map((day) => ({ date: day.date, ...sumOf([day]) }));
  const most = Math.max(...bars.map(({ total }) => total));
  return bars.map((bar) => ({
    ...bar,
    height: bar.total === 0 ? 0 : Math.max(LEAST_PERCENT, Math.round((bar.total / most) * 100)),
  }));
}

/** Of all days, those that went well first. */
export function sumOf(days: readonly DayCounts[]) {
  const parts = states
    .map((state) => ({ state, count: days.reduce((sum, day) => sum + day[state], 0) }))
    .filter(({ count }) => count > 0);
  return { parts, total: parts.reduce((sum, { count }) => sum + count, 0) };
}
