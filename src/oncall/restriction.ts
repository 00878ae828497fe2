import { dateOf, instantOf, weekdayIndex, weekdayOnOrBefore } from './wall-clock.ts';

/** A span of every week: from included, to excluded. */
export type Window = {
  readonly from_day: string;
  readonly from_time: string;
  readonly to_day: string;
  readonly to_time: string;
};

/** Limits a layer to certain hours; overlapping windows are their union. */
export type Restriction = { readonly type: 'weekly'; readonly windows: readonly Window[] };

const DAYS_PER_WEEK = 7;

/** Whether a restriction lets its layer have someone at an instant. */
export function isOpen(restriction: Restriction, timezone: string, at: Temporal.Instant): boolean {
  return restriction.windows.some((window) => isWithin(window, timezone, at));
}

// Both edges become instants before they are compared, so that a window keeps its edges when the
// clock changes within it.
function isWithin(window: Window, timezone: string, at: Temporal.Instant): boolean {
  const length = daysOf(window);
  const latest = weekdayOnOrBefore(dateOf(at, timezone), window.from_day);
  // The one before may still run; the one after may have begun when a day was skipped.
  return [-1, 0, 1].some((weeks) => {
    const date = latest.add({ days: weeks * DAYS_PER_WEEK });
    const from = instantOf(date, window.from_time, timezone);
    if (Temporal.Instant.compare(at, from) < 0) return false;
    const to = instantOf(date.add({ days: length }), window.to_time, timezone);
    return Temporal.Instant.compare(at, to) < 0;
  });
}

function daysOf(window: Window): number {
  const days = weekdayIndex(window.to_day) - weekdayIndex(window.from_day);
  if (days !== 0) return (days + DAYS_PER_WEEK) % DAYS_PER_WEEK;
  const [from, to] = [window.from_time, window.to_time].map((time) =>
    Temporal.PlainTime.from(time),
  );
  const isLater = from && to && Temporal.PlainTime.compare(to, from) > 0;
  return isLater ? 0 : DAYS_PER_WEEK;
}
