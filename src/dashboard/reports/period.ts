// The period of a report as days where the reader is, and what the API is asked for it.
import { verdicts } from '../../resources/verdicts.ts';
import { midnightOf } from '../pages/query.ts';
import { dayAfter } from '../ui/days.ts';
import { defaultDays, type ListedVerdict, type ReportSearch } from './search.ts';

type Query = Readonly<Record<string, string>>;

/** The last day is part of it. */
export type Period = { readonly from: string; readonly to: string };

/** Null: its first day is after its last one. */
export function periodOf({ from, to, days }: ReportSearch, today: string): Period | null {
  const last = to ?? today;
  const first = from ?? dayAfter(last, 1 - (days ?? defaultDays));
  return first > last ? null : { from: first, to: last };
}

/** The part of a week that the period has. */
export function weekOf({ from, to }: Period, monday: string): Period {
  const sunday = dayAfter(monday, 6);
  return { from: monday > from ? monday : from, to: sunday < to ? sunday : to };
}

/** What one report is asked for; `teams` as lists of the API take them. */
export function reportQuery(
  { from, to }: Period,
  { service, integration }: ReportSearch,
  teams: string | undefined,
): Query {
  return {
    from: midnightOf(from),
    to: midnightOf(dayAfter(to, 1)),
    ...(teams !== undefined && { team_id: teams }),
    ...(service !== undefined && { service_id: service }),
    ...(integration !== undefined && { integration_id: integration }),
  };
}

/** The incidents behind a figure of the report. */
export function incidentsOf(
  period: Period,
  search: ReportSearch,
  { teams, timezone }: { readonly teams: string | undefined; readonly timezone: string },
): Query {
  const { weekday, hour, week, key, source, acknowledged, verdicts: listed, rule } = search;
  const within = week === undefined ? period : weekOf(period, week);
  return {
    ...reportQuery(within, search, teams),
    ...(weekday !== undefined && { weekday, hour: String(hour), timezone }),
    ...(key !== undefined && { dedup_key: key }),
    ...(source !== undefined && { source_integration_id: source }),
    ...(acknowledged !== undefined && { acknowledged: String(acknowledged) }),
    ...(listed !== undefined && { verdict: verdictsIn(listed) }),
    ...(rule !== undefined && { rule_id: rule }),
    test: 'false',
    include: 'names,next,handled_by',
  };
}

function verdictsIn(listed: ListedVerdict): string {
  if (listed === 'ended') return [...verdicts, 'none'].join(',');
  return listed === 'answered' ? verdicts.join(',') : listed;
}

/** What the list of pages is narrowed by, for the pages behind a figure of the report. */
export const pagesOf = (
  period: Period,
  { service, integration }: ReportSearch,
  teams: string | undefined,
) => ({
  ...period,
  test: 'none' as const,
  ...(teams !== undefined && { teams }),
  ...(service !== undefined && { service }),
  ...(integration !== undefined && { integration }),
});

/** One table of a report as a file. */
export const csvAddress = (report: string, table: string, query: Query): string =>
  `/api/v1/reports/${report}?${new URLSearchParams({ ...query, format: 'csv', table })}`;
