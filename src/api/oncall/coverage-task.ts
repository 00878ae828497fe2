// The gaps of a schedule, as the API answers them. Pure, so that it can run in a worker thread.
import { queryLimits } from '../../limits/queries.ts';
import type { Gap } from '../../oncall/coverage.ts';
import { yearsAfter, yearsWithin } from '../../oncall/effort.ts';
import type { Interval, Schedule } from '../../oncall/schedule.ts';
import { type WholeGap, wholeGaps } from '../../oncall/wholes.ts';
import { timeText } from '../../storage/records/rows.ts';
import { cover, type YearsInput } from '../../what-if/coverage.ts';
import { causeOf, type People, sentence, troubleOf } from '../../what-if/coverage-words.ts';
import { invalid } from '../failures.ts';

type CoverageInput = YearsInput & {
  /** Nobody is known to have been missing before. */
  readonly now: Temporal.Instant;
};

export function coverageOfYears({ schedule, from, years, people, now }: CoverageInput) {
  const most = Math.max(1, yearsWithin(queryLimits.coverageChanges, schedule));
  if (years > most) throw invalid([{ path: 'years', message: tooLong(most) }]);
  const to = yearsAfter(from, years);
  const interval = { from, to };
  const { gaps, missing } = cover({ schedule, interval, people });
  const whole = wholly(gaps, { schedule, interval, people, now });
  return {
    from: timeText(from),
    to: timeText(to),
    covered: gaps.length === 0,
    uncovered_seconds: secondsOf(gaps),
    gap_count: gaps.length,
    gaps: firstGaps(whole, people),
    missing_users: [...missing].map(([user_id, reason]) => ({ user_id, reason })),
  };
}

const tooLong = (years: number) => `must be at most ${years} for a schedule that changes so often`;

const secondsOf = (gaps: readonly Gap[]): number => {
  const milliseconds = gaps.reduce(
    (sum, { start, end }) => sum + end.epochMilliseconds - start.epochMilliseconds,
    0,
  );
  return Math.round(milliseconds / 1_000);
};

type Searched = {
  readonly schedule: Schedule;
  readonly interval: Interval;
  readonly people: People;
  readonly now: Temporal.Instant;
  /** Among how many schedules one response shares its effort; absent: there is one. */
  readonly shares?: number;
};

/** Gaps that an interval cuts, from where they start to where somebody is on call again. */
export const wholly = (
  gaps: readonly Gap[],
  { schedule, people, shares = 1, ...searched }: Searched,
): readonly WholeGap[] =>
  wholeGaps(gaps, schedule, {
    ...searched,
    missing: (id) => troubleOf(people.get(id)) !== null,
    most: queryLimits.gapSteps / shares,
  });

/** The first gaps, as the API answers them. */
export const firstGaps = (gaps: readonly WholeGap[], people: People) =>
  gaps.slice(0, queryLimits.gaps).map((gap) => ({
    start: timeText(gap.start),
    end: gap.end && timeText(gap.end),
    layer: gap.layer,
    reason: gap.reason.type,
    message: sentence(causeOf(gap, people)),
  }));
