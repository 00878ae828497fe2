import { queryLimits } from '../../limits/queries.ts';
import type { Interval } from '../../oncall/schedule.ts';
import { text } from '../../resources/declaration/field.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import type { Queries } from '../../storage/database.ts';
import { readSchedules, type ScheduleWithHistory } from '../../storage/oncall/schedules.ts';
import { find } from '../../storage/records/queries.ts';
import { invalid, notFound } from '../failures.ts';
import type { Call } from '../route.ts';

const EARLIEST = Temporal.Instant.from('1970-01-01T00:00Z');
const LATEST = Temporal.Instant.from('2200-01-01T00:00Z');
const DEFAULT_SPAN = { hours: 14 * 24 } as const;
const SPAN_MAX = { hours: queryLimits.spanDays * 24 } as const;

/** An instant in a request. */
export const timeParam = (doc: string) => text({ doc, format: 'date-time', max: 40 });

/** The instant of a value that was held to `time`. */
export function instantAt(path: string, value: string): Temporal.Instant {
  const at = Temporal.Instant.from(value);
  if (Temporal.Instant.compare(at, EARLIEST) < 0 || Temporal.Instant.compare(at, LATEST) > 0)
    throw invalid([{ path, message: 'must be within the years 1970 to 2199' }]);
  return at;
}

type Span = { readonly from?: string | undefined; readonly to?: string | undefined };

/** The interval of a query: from now on, for 14 days, unless it says otherwise. */
export function intervalOf(span: Span, now: Temporal.Instant): Interval {
  const from = span.from === undefined ? now : instantAt('from', span.from);
  const to = span.to === undefined ? from.add(DEFAULT_SPAN) : instantAt('to', span.to);
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
export async function scheduleSince(
  sql: Queries,
  call: Call,
  since: Temporal.Instant,
): Promise<ScheduleWithHistory> {
  const id = await scheduleId(sql, call);
  const { organizationId } = call.caller;
  const known = (await readSchedules(sql, { organizationId, ids: [id], since })).get(id);
  if (known === undefined) throw notFound();
  return known;
}
