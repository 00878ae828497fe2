import { DAYS_PER_WEEK, modulo, spanIn, timeOfDay, WEEK, weekdayIndex } from './wall-clock.ts';
import { DAY, instantAt, wallAt, type Zone } from './zone.ts';

/** A span of every week: from included, to excluded. */
export type Window = {
  readonly from_day: string;
  readonly from_time: string;
  readonly to_day: string;
  readonly to_time: string;
};

/** Limits a layer to certain hours; overlapping windows are their union. */
export type Restriction = { readonly type: 'weekly'; readonly windows: readonly Window[] };

/** A longest span in which the windows are open, or one in which they are closed. */
export type Opening = { readonly isOpen: boolean; readonly start: number; readonly end: number };

// Weeks are counted from a monday, as weekdays are.
const FIRST_MONDAY = -3 * DAY;

/** What is open at no time. */
export const NEVER: Opening = { isOpen: false, start: -Infinity, end: Infinity };

/** Tells whether a restriction lets its layer have someone at an instant, and since and until when. */
export function openingsOf(restriction: Restriction, zone: Zone): (at: number) => Opening {
  const edges = edgesOf(restriction.windows);
  const count = edges.length;
  if (count === 0) return () => NEVER;
  // Every edge becomes an instant before it is compared, so that a window keeps its edges when the
  // clock changes within it.
  const edge = (index: number) => {
    const week = Math.floor(index / count);
    return instantAt(zone, FIRST_MONDAY + week * WEEK + (edges[index - week * count] ?? 0));
  };
  return (at) => {
    const wall = wallAt(zone, at) - FIRST_MONDAY;
    const week = Math.floor(wall / WEEK);
    const passed = edges.findLastIndex((each) => each <= wall - week * WEEK);
    const { index, start, end } = spanIn(edge, at, week * count + passed);
    return { isOpen: modulo(index, 2) === 0, start, end };
  };
}

/** Where the union of the windows opens, closes, opens ... in a week, from its monday on. */
function edgesOf(windows: readonly Window[]): readonly number[] {
  const spans = windows.map(spanOf).sort((one, other) => one.from - other.from);
  const merged: { from: number; to: number }[] = [];
  for (const week of [-WEEK, 0, WEEK])
    for (const { from, to } of spans) {
      const last = merged.at(-1);
      if (last && from + week <= last.to) last.to = Math.max(last.to, to + week);
      else merged.push({ from: from + week, to: to + week });
    }
  const begun = merged.filter(({ from }) => from >= 0 && from < WEEK);
  // What goes on through the whole week begins in none.
  if (begun.length === 0 && windows.length > 0) return [0, WEEK];
  return begun.flatMap(({ from, to }) => [from, to]);
}

function spanOf(window: Window): { readonly from: number; readonly to: number } {
  const days = modulo(weekdayIndex(window.to_day) - weekdayIndex(window.from_day), DAYS_PER_WEEK);
  const from = timeOfDay(window.from_time);
  const length = days * DAY + timeOfDay(window.to_time) - from;
  const begins = weekdayIndex(window.from_day) * DAY + from;
  return { from: begins, to: begins + (length > 0 ? length : length + WEEK) };
}
