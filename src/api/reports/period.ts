// The period of a report, and its weeks.
import { queryLimits } from '../../limits/queries.ts';
import { optional, zone } from '../../resources/declaration/field.ts';
import { clockIn } from '../../resources/declaration/time-zone.ts';
import { timeParam } from '../oncall/params.ts';
import { readQuery, wrongQuery } from '../records/list-query.ts';
import type { Call } from '../route.ts';

export type Period = {
  readonly from: Temporal.Instant;
  readonly to: Temporal.Instant;
  readonly timezone: string;
};
export type Week = Omit<Period, 'timezone'> & { readonly date: string };

const DEFAULT_DAYS = 28;

export const periodParameters = {
  from: optional(
    timeParam(
      `The beginning of the period. Default: ${DEFAULT_DAYS} days before its end, at midnight.`,
    ),
  ),
  to: optional(
    timeParam(
      `The end of the period, at most ${queryLimits.reportDays} days after from. Default: the end of today.`,
    ),
  ),
  timezone: optional(zone('The time zone of the report, such as Europe/Berlin. Default: Etc/UTC.')),
};

export function periodIn(call: Pick<Call, 'query' | 'now'>): Period {
  const { from: first, to: last, timezone = 'Etc/UTC' } = readQuery(periodParameters, call);
  const to =
    last === undefined
      ? clockIn(timezone, call.now).add({ days: 1 }).startOfDay().toInstant()
      : Temporal.Instant.from(last);
  const from =
    first === undefined
      ? clockIn(timezone, to).subtract({ days: DEFAULT_DAYS }).startOfDay().toInstant()
      : Temporal.Instant.from(first);
  checkSpan(from, to);
  return { from, to, timezone };
}

/** An hour more than the limit has, for a period of local days in which the clock is put back. */
function checkSpan(from: Temporal.Instant, to: Temporal.Instant): void {
  if (Temporal.Instant.compare(from, to) >= 0) throw wrongQuery('to', 'must be after from');
  const most = from.add({ hours: 24 * queryLimits.reportDays + 1 });
  if (Temporal.Instant.compare(to, most) > 0)
    throw wrongQuery('to', `must be at most ${queryLimits.reportDays} days after from`);
}

type Ends = {
  readonly from?: Temporal.Instant | undefined;
  readonly to?: Temporal.Instant | undefined;
};

/** Both ends, which the parameter of this name requires. */
export function spanFor(name: string, { from, to }: Ends): Omit<Period, 'timezone'> {
  if (from === undefined) throw wrongQuery('from', `is required with ${name}`);
  if (to === undefined) throw wrongQuery('to', `is required with ${name}`);
  checkSpan(from, to);
  return { from, to };
}

/** From Monday to Monday; the first and the last are cut by the period. */
export function weeksOf({ from, to, timezone }: Period): readonly Week[] {
  const weeks: Week[] = [];
  const first = clockIn(timezone, from);
  let monday = first.toPlainDate().subtract({ days: first.dayOfWeek - 1 });
  for (let begin = from; Temporal.Instant.compare(begin, to) < 0; ) {
    const next = monday.add({ days: 7 });
    const end = startIn(timezone, next);
    const isLast = Temporal.Instant.compare(end, to) >= 0;
    weeks.push({ date: monday.toString(), from: begin, to: isLast ? to : end });
    monday = next;
    begin = end;
  }
  return weeks;
}

/** Of a day; what `clockIn` knows as a zone is one. */
const startIn = (timezone: string, day: Temporal.PlainDate): Temporal.Instant =>
  day
    .toZonedDateTime(clockIn(timezone, Temporal.Instant.fromEpochMilliseconds(0)).timeZoneId)
    .toInstant();
