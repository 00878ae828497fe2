// What a change does to who is on call, and to whom steps reach. Pure, so that it can run in a worker
// thread.
import { type Configuration, type Rota, rotaIn } from '../../incidents/configuration.ts';
import { reach, reachPerson, shownName } from '../../incidents/target-lookup.ts';
import { incidentsLimits } from '../../limits/incidents.ts';
import { queryLimits } from '../../limits/queries.ts';
import { coverageOf } from '../../oncall/coverage.ts';
import { onCallAt } from '../../oncall/on-call.ts';
import { changesPerYear } from '../../oncall/revisions/changes.ts';
import { type Change, changesIn } from '../../oncall/revisions/moves.ts';
import type { Interval, Schedule } from '../../oncall/schedule.ts';
import { inside, outside, type Span } from '../../oncall/spans.ts';
import type { Target } from '../../resources/escalation-policy.ts';
import { timeText } from '../../storage/records/rows.ts';
import { withSchedules } from '../../what-if/proposals.ts';
import { cover, yearsAfter, yearsWithin } from '../oncall/coverage-task.ts';
import {
  idleWarnings,
  nameOf,
  type Searched,
  shortTime,
  timesText,
  warningsOf,
  yearsText,
} from '../oncall/coverage-words.ts';

/** A step of which everyone but whoever is on call cannot be paged. */
export type ExaminedStep = {
  readonly policy: { readonly id: string | null; readonly name: string };
  /** From 0. */
  readonly step: number;
  /** By which schedules it pages. */
  readonly targets: readonly Pick<Target, 'via' | 'oncall_schedule_id'>[];
  /** Why the others cannot be paged. */
  readonly reasons: readonly string[];
};

export type EffectsInput = {
  /** When the change takes effect. */
  readonly at: Temporal.Instant;
  /** That are searched for gaps. */
  readonly years: number;
  /** As it is before the change: with what the same run has planned before. */
  readonly configuration: Configuration;
  /** The schedule that changes; null when none does, or when not all of it is known. */
  readonly rota: Rota | null;
  /** Of the policy that is to be saved, or of those that use the schedule. */
  readonly steps: readonly ExaminedStep[];
};

export type PreviewWarning = {
  readonly code:
    | 'on_call_changes'
    | 'gap'
    | 'no_shift'
    | 'shifts_move'
    | 'step_reaches_nobody'
    | 'still_used';
  readonly path: string | null;
  readonly message: string;
};

type OnCallNames = readonly { readonly id: string; readonly name: string }[];

export function effectsOf(input: EffectsInput): Effects {
  const { rota } = input;
  const schedule = rota === null ? noEffects : effectsOfSchedule(input, rota);
  const steps = unreachableSteps(input);
  const listed = steps.slice(0, queryLimits.previewItems);
  const more = steps.length - listed.length;
  return {
    ...schedule,
    warnings: [
      ...schedule.warnings,
      ...listed.map(({ warning }) => warning),
      ...(more > 0 ? [stepWarning(null, `${more} more steps sometimes reach nobody.`)] : []),
    ],
    unreachable_steps: listed.map(({ answer }) => answer),
    unreachable_steps_count: steps.length,
  };
}

export type Effects = ScheduleEffects & {
  readonly unreachable_steps: readonly ReturnType<typeof wordedStep>['answer'][];
  readonly unreachable_steps_count: number;
};

const noEffects: ScheduleEffects = {
  warnings: [],
  on_call: null,
  gaps: [],
  gaps_count: 0,
  moved_shifts: [],
  moved_shifts_count: 0,
};

export const none: Effects = { ...noEffects, unreachable_steps: [], unreachable_steps_count: 0 };

type ScheduleEffects = {
  readonly warnings: readonly PreviewWarning[];
  readonly on_call: {
    readonly at: string;
    readonly before: OnCallNames | null;
    readonly after: OnCallNames;
  } | null;
  readonly gaps: readonly { readonly from: string; readonly to: string | null }[];
  readonly gaps_count: number;
  readonly moved_shifts: readonly {
    readonly from: string;
    readonly to: string | null;
    readonly before: OnCallNames;
    readonly after: OnCallNames;
  }[];
  readonly moved_shifts_count: number;
};

/** Of an archived schedule, neither gaps nor shifts are listed: nobody is on call any more. */
function effectsOfSchedule(input: EffectsInput, rota: Rota): ScheduleEffects {
  const { at, configuration } = input;
  const was = configuration.schedules.get(rota.id);
  const named = namesIn(configuration);
  const on_call = {
    at: timeText(at),
    before: was === undefined ? null : named(onCallAt(was.schedule, at)?.user_id),
    after: named(onCallAt(rota.schedule, at)?.user_id),
  };
  const now = onCallWarnings(on_call);
  if (rota.archived) return { ...noEffects, on_call, warnings: now };
  const coverage = newGaps(input, { was, rota });
  const moves = was === undefined ? [] : changesIn(was.schedule, rota.schedule, movesWithin(at));
  const listed = moves.slice(0, queryLimits.previewItems);
  return {
    warnings: [...now, ...coverage.warnings, ...moveWarnings(moves, { rota, named })],
    on_call,
    gaps: coverage.gaps,
    gaps_count: coverage.gaps_count,
    moved_shifts: listed.map((move) => ({
      from: timeText(move.start),
      to: move.end && timeText(move.end),
      before: named(move.before ?? undefined),
      after: named(move.after ?? undefined),
    })),
    moved_shifts_count: moves.length,
  };
}

type Named = (userId: string | undefined) => OnCallNames;

const namesIn =
  ({ people }: Configuration): Named =>
  (id) =>
    id === undefined ? [] : [{ id, name: nameOf(id, people) }];

const nobody = 'nobody';
const namesText = (names: OnCallNames): string =>
  names.length === 0 ? nobody : names.map(({ name }) => name).join(', ');

function onCallWarnings({
  before,
  after,
}: NonNullable<ScheduleEffects['on_call']>): readonly PreviewWarning[] {
  if (before === null || before[0]?.id === after[0]?.id) return [];
  const [was, is] = [namesText(before), namesText(after)];
  const message = `On call now: ${was}. After this change: ${is}.`;
  return [{ code: 'on_call_changes', path: null, message }];
}

type EditedRota = { readonly was: Rota | undefined; readonly rota: Rota };

/** What nobody covers after the change, and somebody did before; who has no shift any more. */
function newGaps(
  { at, years: most, configuration: { people } }: EffectsInput,
  { was, rota }: EditedRota,
): Pick<ScheduleEffects, 'warnings' | 'gaps' | 'gaps_count'> {
  const { schedule } = rota;
  const years = Math.min(
    most,
    ...schedulesOf(was, rota).map((one) => yearsWithin(queryLimits.coverageChangesOfSave, one)),
  );
  const warning = (message: string): PreviewWarning => ({ code: 'gap', path: 'layers', message });
  if (years < 1) {
    const message = 'The schedule was not checked for gaps because it changes too often.';
    return { warnings: [warning(message)], gaps: [], gaps_count: 0 };
  }
  const interval = { from: at, to: yearsAfter(at, years) };
  const before = was && cover({ schedule: was.schedule, interval, people });
  const after = cover({ schedule, interval, people });
  const gaps = outside(after.gaps, before?.gaps ?? []);
  const missing = new Map([...after.missing].filter(([id]) => !before?.missing.has(id)));
  const wasIdle = new Set(before?.idle.map(({ user_id }) => user_id));
  const idle = after.idle.filter(({ user_id }) => !wasIdle.has(user_id));
  const searched = { interval, period: yearsText(years), timezone: timezoneOf(rota) };
  return {
    warnings: [
      ...idleWarnings({ ...searched, idle, people }).map(
        (message): PreviewWarning => ({ code: 'no_shift', path: 'layers', message }),
      ),
      ...warningsOf({ ...searched, gaps, idle: [], missing, people }).map(warning),
    ],
    gaps: gaps.slice(0, queryLimits.previewItems).map(({ start, end }) => ({
      from: timeText(start),
      to: end.equals(interval.to) ? null : timeText(end),
    })),
    gaps_count: gaps.length,
  };
}

const schedulesOf = (...rotas: readonly (Rota | undefined)[]): readonly Schedule[] =>
  rotas.flatMap((rota) => (rota === undefined ? [] : [rota.schedule]));

const timezoneOf = ({ schedule }: Rota): string => schedule.revisions.at(-1)?.timezone ?? 'Etc/UTC';

const movesWithin = (at: Temporal.Instant): Interval => ({
  from: at,
  to: at.add({ hours: incidentsLimits.shiftsMovedDays * 24 }),
});

/** As many moves are written out. */
const MOVES_NAMED = 3;

type MoveWording = { readonly rota: Rota; readonly named: Named };

function moveWarnings(
  moves: readonly Change[],
  { rota, named }: MoveWording,
): readonly PreviewWarning[] {
  if (moves.length === 0) return [];
  const timezone = timezoneOf(rota);
  const texts = moves.slice(0, MOVES_NAMED).map(({ start, end, before, after }) => {
    const until = end === null ? ' on' : ` to ${shortTime(end, timezone)}`;
    const [was, is] = [before, after].map((id) => namesText(named(id ?? undefined)));
    return `from ${shortTime(start, timezone)}${until}, ${is} instead of ${was}`;
  });
  const more = moves.length - texts.length;
  const days = `in the next ${incidentsLimits.shiftsMovedDays} days`;
  const count =
    moves.length === 1 ? `One shift moves ${days}` : `${moves.length} shifts move ${days}`;
  const list = [...texts, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
  return [{ code: 'shifts_move', path: 'layers', message: `${count}: ${list}.` }];
}

/** The steps that reach nobody, always or at times; of a schedule's, those that it makes so. */
function unreachableSteps(input: EffectsInput) {
  const { configuration, rota } = input;
  const after =
    rota === null ? configuration : withSchedules(configuration, new Map([[rota.id, rota]]));
  const searched = searchedFor(input, after);
  const isHeard = holesIn(after, searched);
  const wasHeard = holesIn(configuration, searched);
  return input.steps.flatMap((examined) => {
    const holes = unreachableIn(examined, isHeard, searched);
    const added =
      rota === null ? holes : outside(holes, unreachableIn(examined, wasHeard, searched));
    const [first] = added;
    if (first === undefined) return [];
    const isOfRecord = rota === null;
    return [wordedStep({ examined, spans: added, first, isOfRecord, searched }, after)];
  });
}

/** As far as all the schedules together change seldom enough, but for a day at least. */
function searchedFor(
  { at, years: most, steps, configuration }: EffectsInput,
  after: Configuration,
) {
  const ids = new Set(
    steps.flatMap(({ targets }) => targets.flatMap(({ oncall_schedule_id: id = '' }) => id)),
  );
  const changes = [configuration, after].map((one) =>
    [...ids].reduce((sum, id) => sum + changesPerYear(rotaIn(one, id).schedule), 0),
  );
  const possible = queryLimits.coverageChangesOfSave / Math.max(...changes);
  const years = Math.min(most, Math.floor(possible));
  if (years >= 1)
    return { interval: { from: at, to: yearsAfter(at, years) }, period: yearsText(years) };
  const days = Math.max(1, Math.floor(possible * 365));
  const interval = { from: at, to: at.add({ hours: days * 24 }) };
  return { interval, period: days === 1 ? 'a day' : `${days} days` };
}

type HolesOf = (target: ExaminedStep['targets'][number]) => readonly Span[];

/** When a target reaches nobody: computed once for each schedule and channel. */
function holesIn(configuration: Configuration, { interval }: Searched): HolesOf {
  const known = new Map<string, readonly Span[]>();
  return ({ via, oncall_schedule_id: id = '' }) => {
    const key = `${id} ${via}`;
    const cached = known.get(key);
    if (cached !== undefined) return cached;
    const { schedule } = rotaIn(configuration, id);
    const { gaps } = coverageOf(schedule, interval, (userId) => {
      const reached = reachPerson(userId, via, configuration);
      return reached.reached ? null : reached.reason;
    });
    known.set(key, gaps);
    return gaps;
  };
}

function unreachableIn(
  { targets }: ExaminedStep,
  holesOf: HolesOf,
  { interval }: Searched,
): readonly Span[] {
  let holes: readonly Span[] = [{ start: interval.from, end: interval.to }];
  for (const target of targets) {
    if (holes.length === 0) break;
    holes = inside(holes, holesOf(target));
  }
  return holes;
}

/** As many targets are written out. */
const TARGETS_NAMED = 3;

type UnreachableStep = {
  readonly examined: ExaminedStep;
  readonly spans: readonly Span[];
  readonly first: Span;
  /** It is of the record itself, not of a policy that uses it. */
  readonly isOfRecord: boolean;
  readonly searched: Searched;
};

function wordedStep(
  { examined, spans, first, isOfRecord, searched }: UnreachableStep,
  configuration: Configuration,
) {
  const { policy, step, targets, reasons } = examined;
  const [target] = targets;
  const rota = target && rotaIn(configuration, target.oncall_schedule_id ?? '');
  const all = [
    ...reasons,
    ...targets.map((one) => reasonOf(reach(one, configuration, first.start))),
  ];
  const more = all.length - TARGETS_NAMED;
  const texts = [...all.slice(0, TARGETS_NAMED), ...(more > 0 ? [`${more} more`] : [])];
  const reason = texts.join('; ');
  const timezone = rota && timezoneOf(rota);
  const isAlways = first.start.equals(searched.interval.from) && isToTheEnd(first, searched);
  const zoned = { ...searched, ...(timezone !== undefined && { timezone }) };
  const when = timesText({ first, more: spans.length - 1, searched: zoned });
  const what = `Step ${step + 1} of the escalation policy "${policy.name}" reaches nobody`;
  return {
    warning: stepWarning(
      isOfRecord ? `steps[${step}]` : null,
      `${what}${isAlways ? '' : ` ${when}`}: ${reason}.`,
    ),
    answer: {
      escalation_policy: policy,
      step: step + 1,
      reason,
      from: timeText(first.start),
      to: isToTheEnd(first, searched) ? null : timeText(first.end),
    },
  };
}

const isToTheEnd = ({ end }: Span, { interval }: Searched): boolean => end.equals(interval.to);

const stepWarning = (path: string | null, message: string): PreviewWarning => ({
  code: 'step_reaches_nobody',
  path,
  message,
});

/** Why one target cannot be paged, such as `nobody is on call (on call of Web)`. */
export const reasonOf = (missed: ReturnType<typeof reach>): string =>
  missed.reached ? '' : `${missed.reason} (${shownName(missed)})`;
