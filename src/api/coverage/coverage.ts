// When nobody is on call: proved, not sampled.
import { coverageOf, type Gap } from '../../oncall/coverage.ts';
import { changesPerYear } from '../../oncall/revisions/changes.ts';
import { scheduleAsOf } from '../../oncall/revisions/history.ts';
import type { Interval, Schedule } from '../../oncall/schedule.ts';
import { optional, wholeNumber } from '../../resources/declaration/field.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import type { Queries, Sql } from '../../storage/database.ts';
import { readPeople } from '../../storage/oncall/people.ts';
import { readSchedules } from '../../storage/oncall/schedules.ts';
import { timeText } from '../../storage/records/rows.ts';
import { invalid } from '../failures.ts';
import { instantAt, scheduleSince, time } from '../oncall/asked.ts';
import { coverageShape } from '../oncall/shapes.ts';
import type { People } from '../oncall/shown.ts';
import { readQuery } from '../records/listing.ts';
import { ok, type Route } from '../route.ts';
import { causeOf, sentence, troubleOf, warningsOf } from './wording.ts';

const YEARS = 10;
const YEARS_MAX = 30;
/** Gaps told singly. */
const GAPS_MAX = 100;
/** How many changes of turns and windows are walked through: for a save a tenth of a second's. */
const CHANGES_MAX = 1_000_000;
const CHANGES_OF_SAVE_MAX = 60_000;

const query = {
  years: optional(
    wholeNumber({ doc: `How far, 1..${YEARS_MAX}; ${YEARS} when absent.`, min: 1, max: YEARS_MAX }),
  ),
  from: optional(time('From when on; now when absent.')),
};

export const coverageRoute = (sql: Sql): Route => ({
  method: 'GET',
  path: '/on-calls/:id/coverage',
  tag: oncallSchedule.table,
  role: 'viewer',
  doc: 'Exactly when nobody is on call. Whoever is inactive or has no verified contact is nobody.',
  query,
  answers: { status: 200, schema: coverageShape },
  async handle(call) {
    const { years = YEARS, from: asked } = readQuery(query, call);
    const from = asked === undefined ? call.now : instantAt('from', asked);
    const interval = { from, to: yearsAfter(from, years) };
    const schedule = scheduleAsOf((await scheduleSince(sql, call, from)).history);
    const most = Math.max(1, yearsWithin(CHANGES_MAX, schedule));
    if (years > most) throw invalid([{ path: 'years', message: tooLong(most) }]);
    const { organizationId } = call.caller;
    const { gaps, missing, people } = await cover(sql, organizationId, { schedule, interval });
    return ok({
      from: timeText(interval.from),
      to: timeText(interval.to),
      ...{ covered: gaps.length === 0, uncovered_seconds: secondsOf(gaps), gap_count: gaps.length },
      gaps: firstGaps(gaps, people),
      missing_users: [...missing].map(([user_id, reason]) => ({ user_id, reason })),
    });
  },
});

const yearsWithin = (changes: number, schedule: Schedule): number =>
  Math.floor(changes / changesPerYear(schedule));

const tooLong = (years: number) => `must be at most ${years} for a schedule that changes so often`;

const yearsAfter = (from: Temporal.Instant, years: number): Temporal.Instant =>
  from.toZonedDateTimeISO('UTC').add({ years }).toInstant();

const secondsOf = (gaps: readonly Gap[]): number => {
  const milliseconds = gaps.reduce(
    (sum, { start, end }) => sum + end.epochMilliseconds - start.epochMilliseconds,
    0,
  );
  return Math.round(milliseconds / 1_000);
};

/** The first gaps, as they are answered. */
export const firstGaps = (gaps: readonly Gap[], people: People) =>
  gaps.slice(0, GAPS_MAX).map((gap) => ({
    start: timeText(gap.start),
    end: timeText(gap.end),
    layer: gap.layer,
    reason: gap.reason.type,
    message: sentence(causeOf(gap, people)),
  }));

type Covering = { readonly schedule: Schedule; readonly interval: Interval };

/** The gaps, and of the people who are on call at times those who cannot be paged. */
export async function cover(
  sql: Queries,
  organizationId: string,
  { schedule, interval }: Covering,
) {
  const people = await readPeople(sql, organizationId, usersOf(schedule));
  const missing = new Map<string, string>();
  const { gaps } = coverageOf(schedule, interval, (id) => {
    const trouble = troubleOf(people.get(id));
    if (trouble !== null) missing.set(id, trouble);
    return trouble;
  });
  return { gaps, missing, people };
}

const usersOf = ({ revisions, overrides }: Schedule): readonly string[] => [
  ...revisions.flatMap(({ layers }) =>
    layers.flatMap(({ users }) => users.filter((id) => id !== null)),
  ),
  ...overrides.map(({ user_id }) => user_id),
];

type Saved = {
  readonly organizationId: string;
  readonly id: string;
  readonly now: Temporal.Instant;
};

/** What whoever saved a schedule should know of the years to come. */
export async function coverageWarnings(
  sql: Queries,
  { organizationId, id, now }: Saved,
): Promise<readonly string[]> {
  const known = (await readSchedules(sql, { organizationId, ids: [id], since: now })).get(id);
  if (known === undefined) return [];
  const schedule = scheduleAsOf(known.history);
  // A save may have taken effect a little later than it was asked for.
  const from = schedule.revisions.at(-1)?.from ?? now;
  const start = Temporal.Instant.compare(from, now) > 0 ? from : now;
  const years = Math.min(YEARS, yearsWithin(CHANGES_OF_SAVE_MAX, schedule));
  if (years < 1) return ['The schedule changes too often to be searched for gaps at once.'];
  const interval = { from: start, to: yearsAfter(start, years) };
  const found = await cover(sql, organizationId, { schedule, interval });
  return warningsOf({ ...found, interval, years });
}
