// Gaps in sentences that a person understands. Layers are counted from 1 here, as people do.
import type { Gap } from '../../oncall/coverage.ts';
import type { Interval } from '../../oncall/schedule.ts';
import type { OnCallPerson } from '../../storage/oncall/people.ts';
import type { People } from './shown.ts';

const WARNINGS_MAX = 10;

/** Why a person cannot be paged; null when they can, or when nothing is known of them. */
export function troubleOf(person: OnCallPerson | undefined): string | null {
  if (person === undefined) return null;
  if (!person.active) return 'is not active';
  return person.verified ? null : 'has no verified contact';
}

/** A name to be read; the id of somebody who is gone. */
export const nameOf = (id: string, people: People): string => {
  const { first_name = '', last_name = '' } = people.get(id) ?? {};
  return `${first_name} ${last_name}`.trim() || id;
};

/** Where a gap comes from: `layer 2 is outside its hours`. */
export function causeOf({ layer, reason }: Gap, people: People): string {
  const place = typeof layer === 'number' ? `layer ${layer + 1}` : 'an override';
  switch (reason.type) {
    case 'outside_windows':
      return `${place} is outside its hours`;
    case 'turn_with_nobody':
      return `${place} has a turn with nobody`;
    case 'not_started':
      return `${place} has not started yet`;
    case 'ended':
      return `${place} has ended`;
    case 'missing':
      return `${place} has ${nameOf(reason.user_id, people)}, who ${reason.text}`;
    case 'not_in_force':
      return 'the schedule is archived, or was not made yet';
  }
}

/** As a sentence of its own. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** An instant as short as it can be told. */
export const shortTime = (at: Temporal.Instant): string =>
  at.toString({ smallestUnit: at.epochMilliseconds % 60_000 === 0 ? 'minute' : 'second' });

export type Found = {
  readonly interval: Interval;
  readonly years: number;
  readonly gaps: readonly Gap[];
  /** By id, why they cannot be paged. */
  readonly missing: ReadonlyMap<string, string>;
  readonly people: People;
};

/** The gaps by their causes, each with the first; then people missing whom no cause names. */
export function warningsOf(found: Found): readonly string[] {
  const { gaps, missing, people } = found;
  const byCause = Map.groupBy(gaps, (gap) => causeOf(gap, people));
  const named = new Set(
    gaps.flatMap(({ reason }) => (reason.type === 'missing' ? [reason.user_id] : [])),
  );
  const others = [...missing].filter(([id]) => !named.has(id));
  const warnings = [
    ...[...byCause].map(([cause, list]) => gapWarning(found, cause, list)),
    ...others.map(([id, why]) => `${nameOf(id, people)} is on call at times, but ${why}.`),
  ];
  if (warnings.length <= WARNINGS_MAX) return warnings;
  const more = warnings.length - WARNINGS_MAX + 1;
  return [
    ...warnings.slice(0, WARNINGS_MAX - 1),
    `There are ${more} more causes: the coverage of the schedule has them all.`,
  ];
}

function gapWarning({ interval, years }: Found, cause: string, gaps: readonly Gap[]): string {
  const [first] = gaps;
  if (first === undefined) return sentence(cause);
  const isLast = first.end.equals(interval.to);
  const until = isLast ? ' on' : ` to ${shortTime(first.end)}`;
  const times = gaps.length === 2 ? 'once more' : `${gaps.length - 1} more times`;
  const more =
    gaps.length === 1 ? '' : `, and ${times} in ${years === 1 ? 'a year' : `${years} years`}`;
  return `Nobody is on call from ${shortTime(first.start)}${until}${more}: ${cause}.`;
}
