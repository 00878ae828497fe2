// The time axis of schedules: days as wide as they are long, on the clock of a zone.
import { dayAt, instantAt, wallAt } from './clock.ts';
import type { Period } from './periods.ts';

/** In epoch milliseconds; the end is excluded. */
export type Span = { readonly start: number; readonly end: number };

/** From when to when something lasts, also beyond what is shown; null: it has no end. */
export type Whole = { readonly start: number; readonly end: number | null };

/** A local day. */
export type Day = Span & {
  readonly isWeekend: boolean;
  /** By how many minutes the clock moves in it: 60 in spring, -60 in autumn, mostly 0. */
  readonly clockMoves: number;
  /** It is shown for the sake of a whole week. */
  readonly isOutside?: true;
};
export type Axis = Span & { readonly zone: string; readonly days: readonly Day[] };

const MINUTE = 60_000;
const DAY = 86_400_000;
const DAYS_PER_WEEK = 7;
// 1970-01-01 was a Thursday, day 0.
const weekday = (day: number) => (((day + 3) % DAYS_PER_WEEK) + DAYS_PER_WEEK) % DAYS_PER_WEEK;
const SATURDAY = 5;
const LENGTHS = { week: DAYS_PER_WEEK, fortnight: 2 * DAYS_PER_WEEK, weekend: 2 } as const;

/** The number of a date such as `2026-11-23`, from 1970-01-01 on; null if it is none. */
export function dayNumber(date: string): number | null {
  const ms = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(ms) ? null : ms / DAY;
}
export const dateText = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);

export const dayOf = (zone: string, at: number): number => dayAt(zone, at);

/**
 * The first day of the period that a day is in: a Monday, the Saturday of the same week, the first
 * of the month; two weeks begin with the day itself.
 */
export function firstDay(day: number, period: Period): number {
  switch (period) {
    case 'week':
      return day - weekday(day);
    case 'weekend':
      return day - weekday(day) + SATURDAY;
    case 'fortnight':
      return day;
    case 'month':
      return day - new Date(day * DAY).getUTCDate() + 1;
  }
}

/** The first day of the period so many later. */
export function steppedDay(first: number, period: Period, steps: number): number {
  if (period === 'weekend') return first + steps * DAYS_PER_WEEK;
  if (period !== 'month') return first + steps * lengthOf(first, period);
  const date = new Date(first * DAY);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + steps, 1) / DAY;
}

function lengthOf(first: number, period: Period): number {
  return period === 'month' ? steppedDay(first, period, 1) - first : LENGTHS[period];
}

/** With so many days before it. */
export function axisOf(first: number, period: Period, zone: string, before = 0): Axis {
  const count = before + lengthOf(first, period);
  const days = Array.from({ length: count }, (_, index) => dayIn(zone, first - before + index));
  return { zone, days, start: days[0]?.start ?? 0, end: days.at(-1)?.end ?? 0 };
}

/** The whole weeks that an axis is in. */
export function weeksOf({ zone, start, end }: Axis): readonly Axis[] {
  const last = dayAt(zone, end - 1);
  const weeks: Axis[] = [];
  for (let first = firstDay(dayAt(zone, start), 'week'); first <= last; first += DAYS_PER_WEEK) {
    const week = axisOf(first, 'week', zone);
    const days = week.days.map((day): Day => {
      const isOutside = day.end <= start || end <= day.start;
      return isOutside ? { ...day, isOutside } : day;
    });
    weeks.push({ ...week, days });
  }
  return weeks;
}

function dayIn(zone: string, day: number): Day {
  const [start, end] = [instantAt(zone, day * DAY), instantAt(zone, (day + 1) * DAY)];
  const clockMoves = (DAY - (end - start)) / MINUTE;
  return { start, end, isWeekend: weekday(day) >= SATURDAY, clockMoves };
}

/** Where an instant is on an axis, 0 at its start and 1 at its end. */
export const shareOf = ({ start, end }: Span, at: number): number => (at - start) / (end - start);

/** Where a span is on an axis; null where it is not on it. */
export function placeOf(axis: Span, span: Span): { offset: number; size: number } | null {
  const start = Math.max(span.start, axis.start);
  const end = Math.min(span.end, axis.end);
  if (end <= start) return null;
  return { offset: shareOf(axis, start), size: shareOf(axis, end) - shareOf(axis, start) };
}

type Cut = Span & { readonly whole: Whole };

/** What a span means that reaches an edge of the axis: all of what the edge cuts, but nothing past. */
export function wholeOf(axis: Span, span: Span, cuts: readonly Cut[], now: number): Whole {
  const [first, last] = [axis.start, axis.end - 1].map((at) =>
    cuts.find(({ start, end }) => start <= at && at < end),
  );
  return {
    start: span.start > axis.start || !first ? span.start : Math.max(first.whole.start, now),
    end: span.end < axis.end || !last ? span.end : last.whole.end,
  };
}

const QUARTER = 15 * MINUTE;

/** The nearest edge of a shift, if one is near; else the nearest quarter of an hour. */
export function snapped(at: number, edges: readonly number[], nearMs: number): number {
  const distance = (edge: number) => Math.abs(edge - at);
  const nearest = edges.toSorted((one, other) => distance(one) - distance(other))[0];
  if (nearest !== undefined && distance(nearest) <= nearMs) return nearest;
  return Math.round(at / QUARTER) * QUARTER;
}

/** As a field for date and time has it, on the clock of the zone. */
export const localText = (zone: string, at: number): string =>
  new Date(wallAt(zone, at)).toISOString().slice(0, 16);

/** What such a field means; null if it is no time. A skipped time is the first instant after it. */
export function instantOfText(zone: string, text: string): number | null {
  const wall = Date.parse(`${text}Z`);
  return Number.isNaN(wall) ? null : instantAt(zone, wall);
}

/** The same time in the days of another zone; the first and the last of them are cut. */
export function axisIn({ start, end }: Axis, zone: string): Axis {
  const last = dayAt(zone, end - 1);
  const days: Day[] = [];
  for (let day = dayAt(zone, start); day <= last; day += 1) days.push(dayIn(zone, day));
  return { zone, days, start, end };
}
