// The local days that count for turns which are counted in open days only. A day lasts from one
// handoff to the next, and counts if its layer is open at any instant of it.
import { type Opening, openingsOf, type Restriction } from './restriction.ts';
import { DAYS_PER_WEEK, modulo, mondayOf } from './wall-clock.ts';
import { DAY, gapsIn, instantAt, type Zone, zoneOf } from './zone.ts';

/** Days are counted, not walked through: an anchor may be decades old. */
export type OpenDays = {
  /** How many days before this one count, from some day on. */
  readonly before: (day: number) => number;
  /** The day that counts and has so many before it. */
  readonly nth: (count: number) => number;
};

export function openDaysOf(restriction: Restriction | undefined, zone: Zone, time: number) {
  const week = openWeekdays(restriction, time);
  const shut = shutDays(restriction, zone, time);
  const before = (day: number) => weekdaysBefore(week, day) - shut.before(day);
  const nth = (count: number) => {
    for (let index = count; ; ) {
      const day = nthWeekday(week, index);
      const missing = count - before(day);
      if (missing === 0 && !shut.includes(day)) return day;
      index += missing === 0 ? 1 : missing;
    }
  };
  return { before, nth } satisfies OpenDays;
}

/** How many days of a week count, in which no clock changes. */
export const openDaysPerWeek = (restriction: Restriction | undefined, time: number): number =>
  openWeekdays(restriction, time).length;

const always = (): Opening => ({ isOpen: true, start: -Infinity, end: Infinity });

/** Whether a window is open both before and after the handoff of some day of the week. */
export function isHandoffInWindow({ windows }: Restriction, time: number): boolean {
  const openingAt = openingsOf({ type: 'weekly', windows }, zoneOf('UTC'));
  return weekdays.some((day) => {
    const { isOpen, start } = openingAt(mondayOf(0) + day * DAY + time);
    return isOpen && start < mondayOf(0) + day * DAY + time;
  });
}

const weekdays = [...Array(DAYS_PER_WEEK).keys()];

/** The weekdays that count, from 0 for monday, as a clock that never changes has them. */
function openWeekdays(restriction: Restriction | undefined, time: number): readonly number[] {
  const openingAt = restriction ? openingsOf(restriction, zoneOf('UTC')) : always;
  const open = weekdays.filter((day) => {
    const from = mondayOf(0) + day * DAY + time;
    return isOpenIn(openingAt, from, from + DAY);
  });
  return open.length > 0 ? open : weekdays;
}

function isOpenIn(openingAt: (at: number) => Opening, from: number, to: number): boolean {
  for (let at = from; at < to; ) {
    const { isOpen, end } = openingAt(at);
    if (isOpen) return true;
    at = end;
  }
  return false;
}

function weekdaysBefore(week: readonly number[], day: number): number {
  const monday = Math.floor((day * DAY - mondayOf(0)) / (DAYS_PER_WEEK * DAY));
  const weekday = modulo(day - mondayOf(0) / DAY, DAYS_PER_WEEK);
  return monday * week.length + week.filter((each) => each < weekday).length;
}

function nthWeekday(week: readonly number[], index: number): number {
  const weekday = week[modulo(index, week.length)] ?? 0;
  return mondayOf(0) / DAY + Math.floor(index / week.length) * DAYS_PER_WEEK + weekday;
}

/**
 * The days that a clock set forward has left without an open instant, though their weekday counts.
 * They are looked for where days are asked for, once.
 */
function shutDays(restriction: Restriction | undefined, zone: Zone, time: number) {
  const week = new Set(openWeekdays(restriction, time));
  const openingAt = restriction ? openingsOf(restriction, zone) : always;
  const handoff = (day: number) => instantAt(zone, day * DAY + time);
  const isShut = (day: number) =>
    week.has(modulo(day - mondayOf(0) / DAY, DAYS_PER_WEEK)) &&
    !isOpenIn(openingAt, handoff(day), handoff(day + 1));
  const days = new Set<number>();
  let known: { readonly origin: number; from: number; to: number } | undefined;

  function extend(from: number, to: number): void {
    for (const gap of gapsIn(zone, handoff(from - 1), handoff(to + 1)))
      for (let day = Math.floor((gap.from - time) / DAY); day * DAY + time < gap.to; day += 1)
        if (isShut(day)) days.add(day);
  }

  function origin(day: number): number {
    known ??= { origin: day, from: day, to: day };
    if (day + 1 > known.to) {
      extend(known.to, day + 1);
      known.to = day + 1;
    }
    if (day < known.from) {
      extend(day, known.from);
      known.from = day;
    }
    return known.origin;
  }

  return {
    before(day: number): number {
      const from = origin(day);
      let count = 0;
      for (const each of days)
        if (each >= from && each < day) count += 1;
        else if (each >= day && each < from) count -= 1;
      return count;
    },
    includes(day: number): boolean {
      origin(day);
      return days.has(day);
    },
  };
}
