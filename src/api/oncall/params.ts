import { queryLimits } from '../../limits/queries.ts';
import type { Interval } from '../../oncall/schedule.ts';
import { text } from '../../resources/declaration/field.ts';
import { YEARS_COMPUTED } from '../../resources/declaration/validate.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import type { Queries, Sql } from '../../storage/database/database.ts';
import { readWholeSchedules } from '../../storage/oncall/around.ts';
import { readSchedules, type ScheduleWithHistory } from '../../storage/oncall/schedules.ts';
import { find } from '../../storage/records/queries.ts';
import type { Compute } from '../computing/computer.ts';
import { invalid, notFound } from '../failures.ts';
import type { Call } from '../route.ts';

const DEFAULT_SPAN = { hours: 14 * 24 } as const;
const SPAN_MAX = { hours: queryLimits.spanDays * 24 } as const;

/** An instant in a request. */
export const timeParam = (doc: string) =>
  text({ doc, format: 'date-time', pattern: YEARS_COMPUTED, max: 40 });

type Span = { readonly from?: string | undefined; readonly to?: string | undefined };

/** The interval of a query: from now on, for 14 days, unless it says otherwise. */
export function intervalOf(span: Span, now: Temporal.Instant): Interval {
  const from = span.from === undefined ? now : Temporal.Instant.from(span.from);
  const to = span.to === undefined ? from.add(DEFAULT_SPAN) : Temporal.Instant.from(span.to);
  if (Temporal.Instant.compare(from, to) >= 0)
    throw invalid([{ path: 'to', message: 'must be after from' }]);
  if (Temporal.Instant.compare(to, from.add(SPAN_MAX)) > 0)
    throw invalid([{ path: 'to', message: 'must be at most 2 years after from' }]);
  return { from, to };
}

/** The id of the schedule that the path names, an archived one too. */
export async function scheduleId(sql: Queries, { caller, params }: Call): Promise<string> {
  const row = await find(sql, oncallSchedule, { key: params['id'] ?? '', scope: caller });
  if (row === undefined) throw notFound();
  return row['id'];
}

/** The schedule that the path names, with its history since an instant. */
export const scheduleSince = (sql: Queries, call: Call, since: Temporal.Instant) =>
  scheduleBy(sql, call, (query) => readSchedules(sql, { ...query, since }));

/** The same with as much of its past as tells when what an instant cuts began. */
export const scheduleAround = (sql: Queries, call: Call, at: Temporal.Instant) =>
  scheduleBy(sql, call, (query) => readWholeSchedules(sql, query, at));

type Read = (query: {
  readonly organizationId: string;
  readonly ids: readonly string[];
}) => Promise<ReadonlyMap<string, ScheduleWithHistory>>;

async function scheduleBy(sql: Queries, call: Call, read: Read): Promise<ScheduleWithHistory> {
  const id = await scheduleId(sql, call);
  const { organizationId } = call.caller;
  const known = (await read({ organizationId, ids: [id] })).get(id);
  if (known === undefined) throw notFound();
  return known;
}

/** What the routes of schedules and shifts need of the server. */
export type OncallParts = { readonly sql: Sql; readonly compute: Compute };
