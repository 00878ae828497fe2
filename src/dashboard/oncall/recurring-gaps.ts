// The hours of every week in which nobody is on call, as windows that somebody may declare as intended.
import type { Span } from './axis.ts';
import { wallAt } from './clock.ts';
import { weekdays } from './hours.ts';
import type { Window } from './queries.ts';
import type { Gap } from './schedules.ts';

const MINUTE = 60_000;
const HOUR = 60;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
// 1970-01-01 was a Thursday.
const FIRST_DAY = 3;

/** What recurs in all of them recurs. */
const WEEKS = 4;
/** The time whose gaps are compared: a day more, as the clock may go back meanwhile. */
export const comparedFrom = (start: number): Span => ({
  start,
  end: start + (WEEKS * WEEK + DAY) * MINUTE,
});

/**
 * The windows in which every week has a gap; none if nobody is ever on call. All gaps of the compared
 * time are to be there; those by design are declared already.
 */
export function recurringGaps(
  gaps: readonly Gap[],
  { start, zone }: { readonly start: number; readonly zone: string },
): readonly Window[] {
  const wallMinute = (at: number) => wallAt(zone, at) / MINUTE;
  const first = Math.floor(wallMinute(start));
  const spans = gaps
    .filter(({ by_design }) => !by_design)
    .map((gap) => ({ start: Date.parse(gap.start), end: Date.parse(gap.end ?? '') }))
    .map((gap) => ({
      // The one that lasts: since when it does says nothing.
      start: gap.start <= start ? first : Math.ceil(wallMinute(gap.start)),
      end: Number.isNaN(gap.end) ? Number.POSITIVE_INFINITY : Math.floor(wallMinute(gap.end)),
    }));
  const week = { start: first, end: first + WEEK };
  const inWeek = (number: number) =>
    common(
      spans.map((span) => ({ start: span.start - number * WEEK, end: span.end - number * WEEK })),
      [week],
    );
  const weeks = Array.from({ length: WEEKS }, (_, number) => inWeek(number));
  return joined(weeks.reduce(common), week).flatMap((span) =>
    span.end - span.start >= WEEK ? [] : windowOf(span),
  );
}

/** The time that is in both, in order. */
const common = (some: readonly Span[], others: readonly Span[]): readonly Span[] =>
  some
    .flatMap((one) =>
      others.map((other) => ({
        start: Math.max(one.start, other.start),
        end: Math.min(one.end, other.end),
      })),
    )
    .filter(({ start, end }) => start < end)
    .toSorted((one, other) => one.start - other.start);

/** What lasts through the end of the week goes on at its beginning. */
function joined(spans: readonly Span[], week: Span): readonly Span[] {
  const [first, last] = [spans[0], spans.at(-1)];
  if (first === last || first?.start !== week.start || last?.end !== week.end) return spans;
  return [...spans.slice(1, -1), { start: last.start, end: first.end + WEEK }];
}

function windowOf({ start, end }: Span): Window {
  const [from, to] = [start, end].map(dayAndTime);
  return {
    from_day: from?.day ?? '',
    from_time: from?.time ?? '',
    to_day: to?.day ?? '',
    to_time: to?.time ?? '',
  };
}

function dayAndTime(minute: number) {
  const inWeek = (((minute + FIRST_DAY * DAY) % WEEK) + WEEK) % WEEK;
  const pad = (number: number) => String(number).padStart(2, '0');
  const [hour, rest] = [Math.floor((inWeek % DAY) / HOUR), inWeek % HOUR];
  return { day: weekdays[Math.floor(inWeek / DAY)] ?? '', time: `${pad(hour)}:${pad(rest)}` };
}
