import { DAY, wallAt, type Zone } from './zone.ts';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const TIME_OF_DAY = /^([01]\d|2[0-3]):([0-5]\d)$/;
const MINUTE = 60_000;
// 1970-01-01, the day 0, was a thursday.
const WEEKDAY_OF_DAY_ZERO = 3;

export const DAYS_PER_WEEK = 7;
export const WEEK = DAYS_PER_WEEK * DAY;

/** The number of the local day of an instant, counted from 1970-01-01. */
export function dayAt(zone: Zone, at: number): number {
  return Math.floor(wallAt(zone, at) / DAY);
}

/** `HH:MM` as milliseconds since midnight. */
export function timeOfDay(text: string): number {
  const [, hours, minutes] = TIME_OF_DAY.exec(text) ?? [];
  if (hours === undefined) throw new RangeError(`${text} is not a time of day`);
  return (Number(hours) * 60 + Number(minutes)) * MINUTE;
}

/** How many days after monday a weekday is. */
export function weekdayIndex(name: string): number {
  const index = WEEKDAYS.indexOf(name);
  if (index < 0) throw new RangeError(`${name} is not a weekday`);
  return index;
}

/** The weekday of a local day. */
export function weekdayOf(day: number): string {
  return WEEKDAYS[modulo(day + WEEKDAY_OF_DAY_ZERO, DAYS_PER_WEEK)] ?? '';
}

/** The latest day not after this one that is the given weekday. */
export function weekdayOnOrBefore(day: number, name: string): number {
  return day - modulo(day + WEEKDAY_OF_DAY_ZERO - weekdayIndex(name), DAYS_PER_WEEK);
}

/** The local time at which a week begins, counted from the one in which 1970 began. */
export const mondayOf = (week: number): number => week * WEEK - WEEKDAY_OF_DAY_ZERO * DAY;

/** The remainder that is never negative. */
export function modulo(dividend: number, divisor: number): number {
  return ((dividend % divisor) + divisor) % divisor;
}

/** Where an instant lies in an endless row of instants, none of them before its predecessor. */
export type IndexedSpan = { readonly index: number; readonly start: number; readonly end: number };

/** The last of the row that is not after the instant, looked for from a guess that is nearly right. */
export function spanIn(row: (index: number) => number, at: number, guess: number): IndexedSpan {
  let index = guess;
  let start = row(index);
  while (start > at) {
    index -= 1;
    start = row(index);
  }
  let end = row(index + 1);
  while (end <= at) {
    index += 1;
    start = end;
    end = row(index + 1);
  }
  return { index, start, end };
}
