// Shifts of schedules, computed from nothing but what is given.
import type { Interval, Schedule, Shift } from '../../oncall/schedule.ts';
import { cutShiftsIn, layerShiftsIn, nextShift, shiftAt, shiftsIn } from '../../oncall/shifts.ts';
import { bounded, checkEffort } from './effort.ts';
import { renderCutShift } from './render.ts';

/** How far the next shift is looked for. */
const SEARCH = { hours: 366 * 24 } as const;

type Listing = {
  readonly schedule: Schedule;
  readonly interval: Interval;
  /** Of one layer alone. */
  readonly layer: number | undefined;
};

export function listedShifts({ schedule, interval, layer }: Listing) {
  checkEffort(schedule, interval);
  const shifts =
    layer === undefined
      ? cutShiftsIn(schedule, interval)
      : layerShiftsIn(schedule, interval, layer);
  return { data: bounded(shifts).map(renderCutShift) };
}

type Following = { readonly schedules: readonly Schedule[]; readonly after: Temporal.Instant };

/** Within which the next shift is looked for. */
export const searchedAfter = (after: Temporal.Instant): Interval => ({
  from: after,
  to: after.add(SEARCH),
});

/** Of each schedule the shift that begins next, if one does within a year. */
export const followingShifts = ({ schedules, after }: Following): readonly (Shift | null)[] =>
  schedules.map((schedule) => nextShift(schedule, searchedAfter(after)));

/** The shifts of an interval from their start to their end. */
const wholeShiftsIn = (schedule: Schedule, interval: Interval): readonly Shift[] =>
  shiftsIn(schedule, interval).flatMap(({ start }) => shiftAt(schedule, start) ?? []);

type OfPerson = {
  readonly userId: string;
  readonly schedules: readonly Schedule[];
  readonly interval: Interval;
};

/** One person's whole shifts, of each schedule. */
export const shiftsOfPerson = ({ userId, schedules, interval }: OfPerson) =>
  schedules.map((schedule) =>
    wholeShiftsIn(schedule, interval).filter(({ user_id }) => user_id === userId),
  );
