// The gaps of a schedule, as the API answers them. Pure, so that it can run in a worker thread.
import { queryLimits } from '../../limits/queries.ts';
import type { Gap } from '../../oncall/coverage.ts';
import { yearsAfter, yearsWithin } from '../../oncall/effort.ts';
import { timeText } from '../../storage/records/rows.ts';
import { cover, type YearsInput } from '../../what-if/coverage.ts';
import { causeOf, type People, sentence } from '../../what-if/coverage-words.ts';
import { invalid } from '../failures.ts';

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

const tooLong = (years: number) => `must be at most ${years} for a schedule that changes so often`;

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
