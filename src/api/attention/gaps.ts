// When nobody is on call within two weeks, though somebody is meant to be.
import { queryLimits } from '../../limits/queries.ts';
import { isCheap, stepsIn } from '../../oncall/effort.ts';
import type { LayerTimeline } from '../../oncall/layer.ts';
import { timelineOf } from '../../oncall/layer-precedence.ts';
import { type Interval, type Override, type Schedule, usersOf } from '../../oncall/schedule.ts';
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
      const gaps = timeline ? unplannedGaps(schedule, timeline, now) : [];
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
 * Without those by design, and those that are only outside the hours of the layers. One that begins there may go on in
 * them, with nobody on call; or in the time of an override for everyone.
 */
export function unplannedGaps(
  schedule: Schedule,
  { gaps, shifts }: Timeline,
  now: Temporal.Instant,
): Timeline['gaps'] {
  return gaps.filter(({ start, end, reason, by_design }) => {
    if (by_design) return false;
    if (reason !== 'outside_windows') return true;
    // By whoever cannot be paged.
    const isInGap = (shift: { readonly start: string }) =>
      shift.start >= start && (end === null || shift.start < end);
    if (shifts.some(isInGap)) return true;
    const gap = {
      start: Temporal.Instant.from(start).epochMilliseconds,
      // What is over is not warned of.
      from: Math.max(Temporal.Instant.from(start).epochMilliseconds, now.epochMilliseconds),
      end: end === null ? Infinity : Temporal.Instant.from(end).epochMilliseconds,
    };
    return schedule.overrides.some((one) => isForEveryone(one, gap)) || hasHours(schedule, gap);
  });
}

type GapAhead = { readonly start: number; readonly from: number; readonly end: number };

const isForEveryone = ({ replaces_user_id, ...override }: Override, { from, end }: GapAhead) =>
  replaces_user_id === undefined &&
  override.start.epochMilliseconds < end &&
  override.end.epochMilliseconds > from;

/** Whether a gap goes on in the hours of a layer, without those that ended before the gap. */
function hasHours(schedule: Schedule, { start, from, end }: GapAhead): boolean {
  const { eraAt } = timelineOf(schedule);
  for (let at = from; at < end; at = eraAt(at).end) {
    const era = eraAt(at);
    const until = Math.min(era.end, end);
    const isOpen = (timeline: LayerTimeline, index: number) => {
      const ends = era.revision?.layers[index]?.ends_at;
      const isOver = ends !== undefined && Temporal.Instant.from(ends).epochMilliseconds <= start;
      return !isOver && timeline.hoursFrom(at) < until;
    };
    if (era.layers.some(isOpen)) return true;
  }
  return false;
}
