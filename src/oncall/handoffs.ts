// The local days on which the turns of a rotation may change. A day is a number, counted from
// 1970-01-01, and stands for the time from the handoff on it to the handoff on the next.
import { openDaysOf, openDaysPerWeek } from './open-days.ts';
import type { Restriction } from './restriction.ts';
import { DAYS_PER_WEEK, timeOfDay, weekdayOnOrBefore } from './wall-clock.ts';
import { DAY, instantAt, type Zone } from './zone.ts';

export const MIDNIGHT = '00:00';
export const DEFAULT_HANDOFF_DAY = 'monday';

/** How turns change; days ignore `handoff_day`. */
export type Rotation = {
  readonly length: number;
  readonly unit: 'days' | 'weeks';
  readonly handoff?: string;
  readonly handoff_day?: string;
  /** The local date of a handoff at which the first user's turn began. */
  readonly since?: string;
  /** Whether turns are counted in all days, or only in days in which the layer is open. */
  readonly counts?: 'all' | 'open';
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

/** How many days of a week count. */
export const countedPerWeek = ({ rotation, restriction }: Turning): number =>
  isCountedOpen(rotation)
    ? openDaysPerWeek(restriction, timeOfDay(rotation.handoff ?? MIDNIGHT))
    : DAYS_PER_WEEK;

type Turning = { readonly rotation: Rotation; readonly restriction?: Restriction | undefined };

export const isCountedOpen = ({ unit, counts }: Rotation): boolean =>
  unit === 'days' && counts === 'open';

export function handoffsOf(rotation: Rotation, zone: Zone, restriction?: Restriction): Handoffs {
  const { length, unit, handoff = MIDNIGHT, handoff_day = DEFAULT_HANDOFF_DAY } = rotation;
  const time = timeOfDay(handoff);
  const wallOn = (day: number) => day * DAY + time;
  const instantOn = (day: number) => instantAt(zone, wallOn(day));
  if (isCountedOpen(rotation)) {
    const { before, nth } = openDaysOf(restriction, zone, time);
    return {
      instantOn,
      wallOn,
      onOrAfter: (day) => nth(before(day)),
      onOrBefore: (day) => nth(before(day + 1) - 1),
      // A layer may count from a day that does not count.
      turnsAfter: (day, turns) => (turns === 0 ? day : nth(before(day) + turns * length)),
      turnsUntil: (from, day) => Math.floor((before(day + 1) - 1 - before(from)) / length),
    };
  }
  const days = unit === 'weeks' ? length * DAYS_PER_WEEK : length;
  const onOrBefore = (day: number) =>
    unit === 'weeks' ? weekdayOnOrBefore(day, handoff_day) : day;
  return {
    instantOn,
    wallOn,
    onOrAfter: (day) => (unit === 'weeks' ? onOrBefore(day + DAYS_PER_WEEK - 1) : day),
    onOrBefore,
    turnsAfter: (day, turns) => day + turns * days,
    turnsUntil: (from, day) => Math.floor((day - from) / days),
  };
}
