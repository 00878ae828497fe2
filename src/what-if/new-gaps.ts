// When nobody is on call after a change of a schedule, and somebody was before.
import type { Configuration, Rota } from '../incidents/configuration.ts';
import { queryLimits } from '../limits/queries.ts';
import { allGaps } from '../oncall/coverage.ts';
import { yearsAfter } from '../oncall/effort.ts';
import { timelineOf } from '../oncall/layer-precedence.ts';
import { outside, type Span } from '../oncall/spans.ts';
import { endFrom } from '../oncall/wholes.ts';
import { instantOf } from '../oncall/zone.ts';
import type { ChangeSides } from './change-sides.ts';
import { cover, notSearched, searchedYears, YEARS } from './coverage.ts';
import { idleWarnings, timezoneOf, troubleOf, warningsOf } from './coverage-words.ts';
import { openDayNotes } from './open-day-notes.ts';

/** The end is null if it lasts to the end of what was searched. */
export type Period = { readonly from: Temporal.Instant; readonly to: Temporal.Instant | null };

export type GapEffects = {
  readonly gaps: readonly Period[];
  readonly gapsCount: number;
  /** Within the hours in which nobody is meant to be on call: no gaps. */
  readonly gapsByDesign: readonly Period[];
  readonly gapsByDesignCount: number;
};

export const noGaps: GapEffects = {
  gaps: [],
  gapsCount: 0,
  gapsByDesign: [],
  gapsByDesignCount: 0,
};

type GapWarning = {
  readonly code: 'gap' | 'no_shift';
  readonly path: string;
  readonly message: string;
};

/** Also who has no shift any more. */
export function newGaps(
  { at, years, configuration: { people } }: ChangeSides,
  was: Rota | undefined,
  { schedule }: Rota,
): GapEffects & { readonly warnings: readonly GapWarning[] } {
  const warn = (code: GapWarning['code'], messages: readonly string[]) =>
    messages.map((message) => ({ code, path: 'layers', message }));
  const searched = searchedYears(was ? [was.schedule, schedule] : [schedule], at, years);
  if (searched === null) return { ...noGaps, warnings: warn('gap', [notSearched]) };
  const { interval } = searched;
  const before = was && cover({ schedule: was.schedule, interval, people });
  const after = cover({ schedule, interval, people });
  const gaps = outside(after.gaps, before?.gaps ?? []);
  const byDesign = outside(after.byDesign, before ? allGaps(before) : []);
  const missing = new Map([...after.missing].filter(([id]) => !before?.missing.has(id)));
  const wasIdle = new Set(before?.idle.map(({ user_id }) => user_id));
  const idle = after.idle.filter(({ user_id }) => !wasIdle.has(user_id));
  const wasNoted = new Set(was && openDayNotes(was.schedule, before?.idle ?? []));
  const notes = openDayNotes(schedule, after.idle).filter((note) => !wasNoted.has(note));
  const zoned = { ...searched, timezone: timezoneOf(schedule), people };
  const kindsAfter = kindsIn(schedule, people);
  const kindsBefore = was && kindsIn(was.schedule, people);
  const period =
    (isAdded: IsAdded) =>
    ({ start, end }: Span): Period => ({
      from: start,
      to: end.equals(interval.to) ? endBeyond(end, { at, kindsAfter, kindsBefore, isAdded }) : end,
    });
  return {
    warnings: [
      ...warn('no_shift', [...idleWarnings({ ...zoned, idle }), ...notes]),
      ...warn('gap', warningsOf({ ...zoned, gaps, idle: [], missing })),
    ],
    gaps: gaps
      .slice(0, queryLimits.previewItems)
      .map(period((is, was) => is === 'gap' && was !== 'gap')),
    gapsCount: gaps.length,
    gapsByDesign: byDesign
      .slice(0, queryLimits.previewItems)
      .map(period((is, was) => is === 'by design' && was === 'covered')),
    gapsByDesignCount: byDesign.length,
  };
}

/** What an instant is. */
type Kind = 'covered' | 'gap' | 'by design';
type Kinds = (at: number) => { readonly kind: Kind; readonly end: number };
type IsAdded = (is: Kind, was: Kind) => boolean;

function kindsIn(schedule: Rota['schedule'], people: Configuration['people']): Kinds {
  const { effectiveAt, byDesignAt } = timelineOf(schedule);
  return (at) => {
    const [{ holder, end }, design] = [effectiveAt(at), byDesignAt(at)];
    const isCovered = holder !== null && troubleOf(people.get(holder.user_id)) === null;
    const uncovered = design.isOpen ? 'by design' : 'gap';
    return { kind: isCovered ? 'covered' : uncovered, end: Math.min(end, design.end) };
  };
}

type Beyond = {
  readonly at: Temporal.Instant;
  readonly kindsAfter: Kinds;
  /** Undefined: the schedule is new. */
  readonly kindsBefore: Kinds | undefined;
  readonly isAdded: IsAdded;
};

/** When what lasts beyond the years that were searched ends; null if not within ten years. */
function endBeyond(
  end: Temporal.Instant,
  { at, kindsAfter, kindsBefore, isAdded }: Beyond,
): Temporal.Instant | null {
  const never = { kind: 'covered', end: Infinity } as const;
  const sidesAt = (time: number) => [kindsAfter(time), kindsBefore?.(time) ?? never] as const;
  const followed = endFrom(
    end.epochMilliseconds,
    {
      isOn(time) {
        const [is, was] = sidesAt(time);
        return isAdded(is.kind, was.kind);
      },
      stretchAt: (time) => ({ start: time, end: Math.min(...sidesAt(time).map((one) => one.end)) }),
    },
    { limit: yearsAfter(at, YEARS).epochMilliseconds, most: queryLimits.gapSteps },
  );
  return followed === null ? null : instantOf(followed);
}
