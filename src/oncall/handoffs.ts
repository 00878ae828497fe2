// The local days on which the turns of a rotation may change. A day is a number, counted from
// 1970-01-01, and stands for the time from the handoff on it to the handoff on the next.
import { DAYS_PER_WEEK, timeOfDay, weekdayOnOrBefore } from './wall-clock.ts';
import { DAY, instantAt, type Zone } from './zone.ts';

export const MIDNIGHT = '00:00';
export const FIRST_WEEKDAY = 'monday';

/** How turns change; days ignore `handoff_day`. */
export type Rotation = {
  readonly length: number;
  readonly unit: 'days' | 'weeks';
  readonly handoff?: string;
  readonly handoff_day?: string;
};

export type Handoffs = {
  /** The instant of the handoff on a day. */
  readonly instantOn: (day: number) => number;
  /** The local time of the handoff on a day. */
  readonly wallOn: (day: number) => number;
  readonly onOrAfter: (day: number) => number;
  readonly onOrBefore: (day: number) => number;
  /** The day on which the turn begins that is this many turns after the one of another day. */
  readonly turnsAfter: (day: number, turns: number) => number;
  /** Nearly how many turns one day is after another. */
  readonly turnsUntil: (from: number, day: number) => number;
};

export function handoffsOf(rotation: Rotation, zone: Zone): Handoffs {
  const { length, unit, handoff = MIDNIGHT, handoff_day = FIRST_WEEKDAY } = rotation;
  const time = timeOfDay(handoff);
  const wallOn = (day: number) => day * DAY + time;
  const days = unit === 'weeks' ? length * DAYS_PER_WEEK : length;
  const onOrBefore = (day: number) =>
    unit === 'weeks' ? weekdayOnOrBefore(day, handoff_day) : day;
  return {
    instantOn: (day) => instantAt(zone, wallOn(day)),
    wallOn,
    onOrAfter: (day) => (unit === 'weeks' ? onOrBefore(day + DAYS_PER_WEEK - 1) : day),
    onOrBefore,
    turnsAfter: (day, turns) => day + turns * days,
    turnsUntil: (from, day) => Math.floor((day - from) / days),
  };
}
