// Timelines of schedules: their shifts and gaps in an interval. Pure, as coverage-task.ts.
import { sourceOf } from '../../oncall/circumstances.ts';
import { coverageOf, type Gap } from '../../oncall/coverage.ts';
import { earlier, isAfter, later } from '../../oncall/order.ts';
import type { Interval, Override, Schedule } from '../../oncall/schedule.ts';
import { cutShiftsIn, lanesIn } from '../../oncall/shifts.ts';
import type { CutShift } from '../../oncall/wholes.ts';
import { timeText } from '../../storage/records/rows.ts';
import { cover } from '../../what-if/coverage.ts';
import { nameOf } from '../../what-if/coverage-words.ts';
import { firstGaps, wholly } from './coverage-task.ts';
import { bounded, checkEffort } from './effort.ts';
import { type People, renderCutShift, wholeOf } from './render.ts';

export type TimelineInput = {
  readonly schedule: Schedule;
  readonly interval: Interval;
  /** What is before it is told as it was: who is inactive now may have been active. */
  readonly now: Temporal.Instant;
  readonly people: People;
  readonly shares?: number;
};

type Timelines = Omit<TimelineInput, 'schedule'> & { readonly schedules: readonly Schedule[] };

/** Of each schedule. */
export const timelines = ({ schedules, ...rest }: Timelines) =>
  schedules.map((schedule) => {
    const shifts = bounded(cutShiftsIn(schedule, rest.interval));
    return effectiveOf(shifts, { ...rest, schedule, shares: schedules.length });
  });

/** Of one schedule, also of each of its layers, and its overrides. */
export function timelineOfSchedule(input: TimelineInput) {
  const { schedule, interval } = input;
  checkEffort(schedule, interval);
  const shifts = cutShiftsIn(schedule, interval);
  const lanes = lanesIn(schedule, interval);
  const all = [...shifts, ...lanes.flatMap((lane) => lane.shifts)];
  bounded(all.toSorted((one, other) => Temporal.Instant.compare(one.start, other.start)));
  return {
    ...effectiveOf(shifts, input),
    layers: lanes.map((lane) => ({ layer: lane.layer, shifts: lane.shifts.map(renderSpan) })),
    overrides: schedule.overrides.flatMap((override) => renderOverride(override, interval)),
  };
}

/** The people of a timeline, by id. */
export const namesOf = (people: People): Readonly<Record<string, string>> =>
  Object.fromEntries([...people.keys()].map((id) => [id, nameOf(id, people)]));

function effectiveOf(shifts: readonly CutShift[], input: TimelineInput) {
  const { schedule, people } = input;
  const gaps = wholly(gapsOf(input), input);
  const bySource = new Map(schedule.overrides.map((one) => [sourceOf(one), one]));
  return {
    shifts: shifts.map((shift) => renderEffective(shift, bySource.get(shift.source))),
    gap_count: gaps.gaps.length,
    gaps: firstGaps(gaps, people),
  };
}

/** While there was a schedule, cut to the interval. */
function gapsOf({ schedule, interval: { from, to }, now, people }: TimelineInput) {
  const edge = earlier(later(now, from), to);
  const none = { gaps: [], byDesign: [] };
  const gone = isAfter(edge, from) ? coverageOf(schedule, { from, to: edge }, () => null) : none;
  const ahead = isAfter(to, edge)
    ? cover({ schedule, interval: { from: edge, to }, people })
    : none;
  return {
    gaps: joined(gone.gaps, ahead.gaps),
    byDesign: joined(gone.byDesign, ahead.byDesign),
  };
}

/** One that goes on from the past is one. */
function joined(gone: readonly Gap[], ahead: readonly Gap[]): readonly Gap[] {
  const isInForce = ({ reason }: Gap) => reason.type !== 'not_in_force';
  const [past, future] = [gone.filter(isInForce), ahead.filter(isInForce)];
  const [last, first] = [past.at(-1), future[0]];
  if (!last || !first || !last.end.equals(first.start)) return [...past, ...future];
  return [...past.slice(0, -1), { ...last, end: first.end }, ...future.slice(1)];
}

const renderSpan = (shift: CutShift) => {
  const { layer: _, ...rest } = renderCutShift(shift);
  return rest;
};

const renderEffective = (shift: CutShift, override: Override | undefined) => ({
  ...renderCutShift(shift),
  ...(override && { override_id: override.id }),
  ...(override?.replaces_user_id && { replaces_user_id: override.replaces_user_id }),
});

function renderOverride(override: Override, { from, to }: Interval) {
  const [start, end] = [later(override.start, from), earlier(override.end, to)];
  if (!isAfter(end, start)) return [];
  const { id: override_id, user_id, replaces_user_id } = override;
  return [
    {
      override_id,
      user_id,
      ...(replaces_user_id !== undefined && { replaces_user_id }),
      start: timeText(start),
      end: timeText(end),
      ...wholeOf({ start, end }, override),
    },
  ];
}
