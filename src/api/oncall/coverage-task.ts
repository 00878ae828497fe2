// The gaps of a schedule, as the API answers them. Pure, so that it can run in a worker thread.

import { queryLimits } from '../../limits/queries.ts';
import type { Gap } from '../../oncall/coverage.ts';
import { yearsAfter, yearsWithin } from '../../oncall/effort.ts';
import type { Interval, Schedule } from '../../oncall/schedule.ts';
import { type WholeGap, wholeGaps } from '../../oncall/wholes.ts';
import { sentenceOf } from '../../resources/sentence.ts';
import { timeText } from '../../storage/records/rows.ts';
import { cover, type YearsInput } from '../../what-if/coverage.ts';
import { causeOf, type People, troubleOf } from '../../what-if/coverage-words.ts';
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
  const { missing, ...cut } = cover({ schedule, interval, people });
  const { gaps } = cut;
  const whole = wholly(cut, { schedule, interval, people, now });
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

type Gaps<Of> = { readonly gaps: readonly Of[]; readonly byDesign: readonly Of[] };

/** Gaps that an interval cuts, from where they start to where they end. */
export function wholly(
  { gaps, byDesign }: Gaps<Gap>,
  { schedule, people, shares = 1, ...searched }: Searched,
): Gaps<WholeGap> {
  const search = {
    ...searched,
    missing: (id: string) => troubleOf(people.get(id)) !== null,
    most: queryLimits.gapSteps / shares,
  };
  return {
    gaps: wholeGaps(gaps, schedule, search),
    byDesign: wholeGaps(byDesign, schedule, { ...search, isByDesign: true }),
  };
}

/** The first gaps, as the API answers them; those by design take no other's place. */
export const firstGaps = ({ gaps, byDesign }: Gaps<WholeGap>, people: People) =>
  [
    ...gaps.slice(0, queryLimits.gaps).map((gap) => renderGap(gap, { people })),
    ...byDesign
      .slice(0, queryLimits.gaps)
      .map((gap) => renderGap(gap, { people, isByDesign: true })),
  ].toSorted((one, other) => Temporal.Instant.compare(one.start, other.start));

type Rendering = { readonly people: People; readonly isByDesign?: true };

const renderGap = (gap: WholeGap, { people, isByDesign }: Rendering) => ({
  start: timeText(gap.start),
  end: gap.end && timeText(gap.end),
  layer: gap.layer,
  reason: gap.reason.type,
  message: sentenceOf(causeOf(gap, people)),
  ...(isByDesign && { by_design: isByDesign }),
});
