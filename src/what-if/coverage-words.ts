// Gaps as sentences. Layers are counted from 1 here, as people do.
import { queryLimits } from '../limits/queries.ts';
import type { Gap } from '../oncall/coverage.ts';
import type { Idle } from '../oncall/people-without-shifts.ts';
import type { Interval, Schedule } from '../oncall/schedule.ts';
import type { Span } from '../oncall/spans.ts';
import { clockIn } from '../resources/declaration/time-zone.ts';
import { personName } from '../resources/person-name.ts';

/** What is known of whom a schedule names, by id. */
export type People = ReadonlyMap<
  string,
  { readonly first_name: string; readonly last_name: string; readonly active: boolean }
>;

/**
 * Why a person cannot be paged; null when they can, or when nothing is known of them. Whoever is
 * active has an address: the one that they sign in with.
 */
export const troubleOf = (person: ReturnType<People['get']>): string | null =>
  person?.active === false ? 'is not active' : null;

/** A name to be read; the id of somebody who is gone. */
export const nameOf = (id: string, people: People): string => {
  const person = people.get(id);
  return (person && personName(person)) || id;
};

/** Where a gap comes from: `layer 2 is outside its hours`. */
export function causeOf({ layer, reason }: Pick<Gap, 'layer' | 'reason'>, people: People): string {
  const position = typeof layer === 'number' ? `layer ${layer + 1}` : 'an override';
  switch (reason.type) {
    case 'outside_windows':
      return `${position} is outside its hours`;
    case 'turn_with_nobody':
      return `${position} has an empty turn`;
    case 'not_started':
      return `${position} has not started yet`;
    case 'ended':
      return `${position} has ended`;
    case 'missing':
      return `${position} has ${nameOf(reason.user_id, people)}, who ${reason.text}`;
    case 'taken_off':
      return takenOff(position, reason, people);
    case 'not_in_force':
      return 'the schedule is archived, or did not exist yet';
  }
}

/** `an override by Grace Hopper takes Ada Lovelace off layer 1 (“Surgery”)`. */
function takenOff(
  position: string,
  { user_id, author, comment }: Extract<Gap['reason'], { type: 'taken_off' }>,
  people: People,
): string {
  const by = author === undefined ? '' : ` by ${author}`;
  const why = comment === undefined ? '' : ` (“${comment}”)`;
  return `an override${by} takes ${nameOf(user_id, people)} off ${position}${why}`;
}

/** Without seconds if they are 0; on the clock of the zone, with its offset, or else in UTC. */
export function shortTime(at: Temporal.Instant, timezone?: string): string {
  const smallestUnit = at.epochMilliseconds % 60_000 === 0 ? 'minute' : 'second';
  if (timezone === undefined) return at.toString({ smallestUnit });
  return clockIn(timezone, at).toString({ smallestUnit, timeZoneName: 'never' });
}

/** Stretches of one kind: from when to when the first of them is, and how many come after it. */
export type Repetition = {
  readonly first: Span;
  readonly more: number;
  readonly searched: Searched;
};

/** `from A to B, and 3 more times in 10 years`. */
export function timesText({ first, more, searched }: Repetition): string {
  const { interval, period, timezone } = searched;
  const until = first.end.equals(interval.to) ? ' on' : ` to ${shortTime(first.end, timezone)}`;
  const times = more === 1 ? 'once more' : `${more} more times`;
  const again = more === 0 ? '' : `, and ${times} in ${period}`;
  return `from ${shortTime(first.start, timezone)}${until}${again}`;
}

/** Where gaps were searched. */
export type Searched = {
  readonly interval: Interval;
  /** The length of the interval, such as `10 years`. */
  readonly period: string;
  /** In which times are given; UTC when absent. */
  readonly timezone?: string;
};

/** The time zone that the schedule has last. */
export const timezoneOf = ({ revisions }: Schedule): string =>
  revisions.at(-1)?.timezone ?? 'Etc/UTC';

export const yearsText = (years: number): string => (years === 1 ? 'a year' : `${years} years`);

export type CoverageResult = Searched & {
  readonly gaps: readonly Gap[];
  readonly idle: readonly Idle[];
  /** By id, why they cannot be paged. */
  readonly missing: ReadonlyMap<string, string>;
  readonly people: People;
};

/**
 * Who never has a shift, what to know of the turns, the gaps by cause, then the missing people whom
 * no cause names.
 */
export function warningsOf(
  result: CoverageResult,
  notes: readonly string[] = [],
): readonly string[] {
  const { gaps, missing, people } = result;
  const named = new Set(
    gaps.flatMap(({ reason }) => (reason.type === 'missing' ? [reason.user_id] : [])),
  );
  const others = [...missing].filter(([id]) => !named.has(id));
  const warnings = [
    ...idleWarnings(result),
    ...notes,
    ...repeatedGaps(gaps, people).map((repeated) => gapWarning(result, repeated)),
    ...others.map(([id, why]) => `${nameOf(id, people)} is on call at times, but ${why}.`),
  ];
  if (warnings.length <= queryLimits.coverageWarnings) return warnings;
  const more = warnings.length - queryLimits.coverageWarnings + 1;
  return [
    ...warnings.slice(0, queryLimits.coverageWarnings - 1),
    `There are ${more} more causes. The schedule’s coverage lists all of them.`,
  ];
}

/** Gaps of one cause: the first, and how many come after it. */
type Repeated = { readonly cause: string; readonly first: Gap; readonly more: number };

function repeatedGaps(gaps: readonly Gap[], people: People): readonly Repeated[] {
  const result = new Map<string, Repeated>();
  for (const gap of gaps) {
    const cause = causeOf(gap, people);
    const known = result.get(cause);
    result.set(cause, known ? { ...known, more: known.more + 1 } : { cause, first: gap, more: 0 });
  }
  return [...result.values()];
}

const gapWarning = (searched: Searched, { cause, first, more }: Repeated): string =>
  `Nobody is on call ${timesText({ first, more, searched })}: ${cause}.`;

/** Those without any shift in one sentence, and those without another one by the time of their last. */
export function idleWarnings({
  idle,
  people,
  period,
  timezone,
}: Pick<CoverageResult, 'idle' | 'people' | 'period' | 'timezone'>): readonly string[] {
  const byEnd = new Map<string, string[]>();
  for (const { user_id, until } of idle) {
    const when = until === null ? `in ${period}` : `after ${shortTime(until, timezone)}`;
    byEnd.set(when, [...(byEnd.get(when) ?? []), nameOf(user_id, people)]);
  }
  return [...byEnd].map(([when, names]) => {
    const verb = names.length === 1 ? 'has' : 'have';
    return `${listed(names)} ${verb} no shift ${when}: their turns fall outside the hours of the layer, or a higher layer is on call.`;
  });
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, queryLimits.coverageNames);
  const rest = names.length - shown.length;
  const parts = rest > 0 ? [...shown, `${rest} more`] : shown;
  return parts.length === 1 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
