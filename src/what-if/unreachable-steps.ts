// The steps of escalation policies that reach nobody after a change, always or at times.
import { type Configuration, rotaIn } from '../incidents/configuration.ts';
import { reach, reachPerson } from '../incidents/target-recipients.ts';
import { queryLimits } from '../limits/queries.ts';
import { allGaps, coverageOf } from '../oncall/coverage.ts';
import { yearsAfter } from '../oncall/effort.ts';
import { changesPerYear } from '../oncall/revisions/changes.ts';
import { inside, outside, type Span } from '../oncall/spans.ts';
import { type ChangeSides, type ExaminedStep, reasonOf } from './change-sides.ts';
import { type Searched, timesText, timezoneOf, yearsText } from './coverage-words.ts';
import { withSchedules } from './proposals.ts';

export type UnreachableStep = {
  readonly policy: ExaminedStep['policy'];
  /** From 0. */
  readonly step: number;
  /** When it reaches nobody for the first time. */
  readonly from: Temporal.Instant;
  /** When it reaches somebody again; null if it does not, as far as was searched. */
  readonly to: Temporal.Instant | null;
  readonly reason: string;
  readonly message: string;
};

/** The steps that reach nobody, always or at times; of a schedule's, those that it makes so. */
export function unreachableSteps(sides: ChangeSides): readonly UnreachableStep[] {
  const { configuration, rota } = sides;
  const after =
    sides.after ??
    (rota === null ? configuration : withSchedules(configuration, new Map([[rota.id, rota]])));
  const searched = searchedFor(sides, after);
  const isHeard = holesIn(after, searched);
  const wasHeard = holesIn(configuration, searched);
  return sides.steps.flatMap((examined) => {
    const holes = unreachableIn(examined, isHeard, searched);
    const isCompared = after !== configuration && !examined.isNewly;
    const added = isCompared ? outside(holes, unreachableIn(examined, wasHeard, searched)) : holes;
    const [first] = added;
    if (first === undefined) return [];
    return [described({ examined, spans: added, first, searched }, after)];
  });
}

/** As far as all the schedules together change seldom enough, but for a day at least. */
function searchedFor(
  { at, years: most, steps, configuration }: ChangeSides,
  after: Configuration,
): Searched {
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

type Holes = {
  readonly all: readonly Span[];
  /** Those in which nobody is meant to be on call. */
  readonly byDesign: readonly Span[];
};
type HolesOf = (target: ExaminedStep['targets'][number]) => Holes;

/** When a target reaches nobody: computed once for each schedule and channel. */
function holesIn(configuration: Configuration, { interval }: Searched): HolesOf {
  const known = new Map<string, Holes>();
  return ({ via, oncall_schedule_id: id = '' }) => {
    const key = `${id} ${via}`;
    const cached = known.get(key);
    if (cached !== undefined) return cached;
    const { schedule } = rotaIn(configuration, id);
    const coverage = coverageOf(schedule, interval, (userId) => {
      const reached = reachPerson(userId, via, configuration);
      return reached.reached ? null : reached.reason;
    });
    const holes = { all: allGaps(coverage), byDesign: coverage.byDesign };
    known.set(key, holes);
    return holes;
  };
}

/** Without the time in which nobody is meant to be on call for any of the step's targets. */
function unreachableIn(
  { targets, reasons }: ExaminedStep,
  holesOf: HolesOf,
  { interval }: Searched,
): readonly Span[] {
  const common = (kind: keyof Holes): readonly Span[] => {
    let holes: readonly Span[] = [{ start: interval.from, end: interval.to }];
    for (const target of targets) {
      if (holes.length === 0) break;
      holes = inside(holes, holesOf(target)[kind]);
    }
    return holes;
  };
  // Whoever else cannot be paged was meant to be.
  const isByDesign = targets.length > 0 && reasons.length === 0;
  return isByDesign ? outside(common('all'), common('byDesign')) : common('all');
}

/** As many targets are written out. */
const TARGETS_NAMED = 3;

type HoleOfStep = {
  readonly examined: ExaminedStep;
  readonly spans: readonly Span[];
  readonly first: Span;
  readonly searched: Searched;
};

function described(
  { examined, spans, first, searched }: HoleOfStep,
  configuration: Configuration,
): UnreachableStep {
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
  const isToTheEnd = first.end.equals(searched.interval.to);
  const isAlways = isToTheEnd && first.start.equals(searched.interval.from);
  const zoned = rota ? { ...searched, timezone: timezoneOf(rota.schedule) } : searched;
  const when = timesText({ first, more: spans.length - 1, searched: zoned });
  const what = `Step ${step + 1} of the escalation policy "${policy.name}" reaches nobody`;
  const message = `${what}${isAlways ? '' : ` ${when}`}: ${reason}.`;
  return { policy, step, from: first.start, to: isToTheEnd ? null : first.end, reason, message };
}
