// Computes the gaps of a schedule. Pure, so that it can run in a worker thread.
import { queryLimits } from '../../limits/queries.ts';
import { coverageOf, type Gap } from '../../oncall/coverage.ts';
import { changesPerYear } from '../../oncall/revisions/changes.ts';
import type { Interval, Schedule } from '../../oncall/schedule.ts';
import { timeText } from '../../storage/records/rows.ts';
import { invalid } from '../failures.ts';
import { causeOf, sentence, troubleOf, warningsOf, yearsText } from './coverage-words.ts';
import type { People } from './render.ts';

export type CoverageInput = {
  readonly schedule: Schedule;
  readonly interval: Interval;
  readonly people: People;
};

/** The gaps, who never has a shift, and the people on call who cannot be paged. */
export function cover({ schedule, interval, people }: CoverageInput) {
  const missing = new Map<string, string>();
  const { gaps, idle } = coverageOf(schedule, interval, (id) => {
    const trouble = troubleOf(people.get(id));
    if (trouble !== null) missing.set(id, trouble);
    return trouble;
  });
  return { gaps, idle, missing, people };
}

export type YearsInput = {
  readonly schedule: Schedule;
  readonly from: Temporal.Instant;
  readonly years: number;
  readonly people: People;
};

export function coverageOfYears({ schedule, from, years, people }: YearsInput) {
  const most = Math.max(1, yearsWithin(queryLimits.coverageChanges, schedule));
  if (years > most) throw invalid([{ path: 'years', message: tooLong(most) }]);
  const to = yearsAfter(from, years);
  const { gaps, missing } = cover({ schedule, interval: { from, to }, people });
  return {
    from: timeText(from),
    to: timeText(to),
    covered: gaps.length === 0,
    uncovered_seconds: secondsOf(gaps),
    gap_count: gaps.length,
    gaps: firstGaps(gaps, people),
    missing_users: [...missing].map(([user_id, reason]) => ({ user_id, reason })),
  };
}

/** The gaps of the years ahead, as warnings for whoever saved the schedule. */
export function warningsOfYears({ schedule, from, years: most, people }: YearsInput) {
  const years = Math.min(most, yearsWithin(queryLimits.coverageChangesOfSave, schedule));
  if (years < 1) return ['The schedule was not checked for gaps because it changes too often.'];
  const interval = { from, to: yearsAfter(from, years) };
  const period = yearsText(years);
  return warningsOf({ ...cover({ schedule, interval, people }), interval, period });
}

export const yearsWithin = (changes: number, schedule: Schedule): number =>
  Math.floor(changes / changesPerYear(schedule));

const tooLong = (years: number) => `must be at most ${years} for a schedule that changes so often`;

export const yearsAfter = (from: Temporal.Instant, years: number): Temporal.Instant =>
  from.toZonedDateTimeISO('UTC').add({ years }).toInstant();

const secondsOf = (gaps: readonly Gap[]): number => {
  const milliseconds = gaps.reduce(
    (sum, { start, end }) => sum + end.epochMilliseconds - start.epochMilliseconds,
    0,
  );
  return Math.round(milliseconds / 1_000);
};

/** The first gaps, as the API answers them. */
export const firstGaps = (gaps: readonly Gap[], people: People) =>
  gaps.slice(0, queryLimits.gaps).map((gap) => ({
    start: timeText(gap.start),
    end: timeText(gap.end),
    layer: gap.layer,
    reason: gap.reason.type,
    message: sentence(causeOf(gap, people)),
  }));
