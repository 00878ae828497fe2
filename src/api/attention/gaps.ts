// When nobody is on call within two weeks, though somebody is meant to be.
import { queryLimits } from '../../limits/queries.ts';
import { isCheap, stepsIn } from '../../oncall/effort.ts';
import {
  type Interval,
  type Layer,
  type Override,
  type Schedule,
  usersOf,
} from '../../oncall/schedule.ts';
import { readPeople } from '../../storage/oncall/people.ts';
import { taskRequester } from '../computing/computer.ts';
import { Refusal } from '../failures.ts';
import type { OncallParts } from '../oncall/params.ts';
import { timelines } from '../oncall/timeline-task.ts';
import type { Call } from '../route.ts';
import type { Uncovered } from './facts.ts';

const AHEAD = { hours: 14 * 24 } as const;

export type Covering = { readonly schedule: Schedule; readonly named: Uncovered['schedule'] };
type Gaps = { readonly uncovered: readonly Uncovered[]; readonly gapsUnknown: boolean };

/** Of as many schedules as one response may compute; of none while too much else is computed. */
export async function readGaps(
  { sql, compute }: OncallParts,
  call: Call,
  covering: readonly Covering[],
): Promise<Gaps> {
  const { now, caller } = call;
  const interval = { from: now, to: now.add(AHEAD) };
  const affordable = withinEffort(covering, interval);
  const schedules = affordable.map(({ schedule }) => schedule);
  const people = await readPeople(sql, caller.organizationId, schedules.flatMap(usersOf));
  const input = { schedules, interval, now, people };
  try {
    const computed = isCheap(schedules, interval)
      ? timelines(input)
      : await compute(taskRequester(call), 'scheduleTimelines', input);
    const uncovered = affordable.flatMap(({ schedule, named }, index) => {
      const timeline = computed[index];
      const gaps = timeline ? unplannedGaps(schedule, timeline) : [];
      const [first] = gaps;
      if (first === undefined) return [];
      return [{ schedule: named, start: first.start, end: first.end, more: gaps.length - 1 }];
    });
    return { uncovered, gapsUnknown: affordable.length < covering.length };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { uncovered: [], gapsUnknown: true };
  }
}

function withinEffort(covering: readonly Covering[], interval: Interval): readonly Covering[] {
  let left: number = queryLimits.timelineChanges;
  return covering.filter(({ schedule }) => {
    const changes = stepsIn(schedule, interval);
    if (changes > left) return false;
    left -= changes;
    return true;
  });
}

type Timeline = Pick<ReturnType<typeof timelines>[number], 'gaps' | 'shifts'>;

/**
 * Without those that are only outside the hours of the layers. One that begins there may go on in
 * them: with a shift of somebody who cannot be paged, a turn of somebody who is inactive or taken
 * off, a turn with nobody, or after a layer's end.
 */
export function unplannedGaps(schedule: Schedule, { gaps, shifts }: Timeline): Timeline['gaps'] {
  const layers = schedule.revisions.flatMap((revision) => revision.layers);
  const away = new Set(schedule.inactive?.map(({ user_id }) => user_id));
  return gaps.filter(
    ({ start, end, reason }) =>
      reason !== 'outside_windows' ||
      shifts.some((shift) => shift.start >= start && (end === null || shift.start < end)) ||
      schedule.overrides.some((one) => one.user_id === null && isWithin(one, start, end)) ||
      !layers.every((layer) => isStaffed(layer, end, away)),
  );
}

const isWithin = (override: Override, start: string, end: string | null): boolean =>
  (end === null || Temporal.Instant.compare(override.start, end) < 0) &&
  Temporal.Instant.compare(override.end, start) > 0;

const isStaffed = (
  { users, ends_at }: Layer,
  until: string | null,
  away: ReadonlySet<string | null>,
): boolean =>
  users.every((user) => user !== null && !away.has(user)) &&
  (ends_at === undefined || (until !== null && Temporal.Instant.compare(ends_at, until) >= 0));
