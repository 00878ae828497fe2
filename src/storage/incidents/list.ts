// Lists of incidents. A page is looked for among so many incidents: if fewer of them fit, it is
// shorter, and the list continues behind the last that was looked at.
// docs/decisions/0043-lists-of-incidents.md.
import type { Fragment } from 'postgres';
import { type Incident, pageKinds, type Status } from '../../incidents/incident.ts';
import type { AlertKey } from '../../incidents/incident-alerts.ts';
import { queryLimits } from '../../limits/queries.ts';
import type { Verdict } from '../../resources/verdicts.ts';
import { columnList } from '../database/columns.ts';
import type { Queries } from '../database/database.ts';
import { localTime, type Offsets } from '../database/local-time.ts';
import { clockSkew } from '../health/clock-skew.ts';
import { columns, type IncidentRow, incidentOf } from '../ledger/incident-rows.ts';
import { inScope, type Scope } from '../records/queries.ts';
import type { ListedIncident } from './incidents.ts';

/** The place of an incident in a list; its urgency only where that is the order. */
export type IncidentPosition = { readonly urgency: number | null; readonly number: number };

export type IncidentList = {
  readonly limit: number;
  /** The newest first; or, of open ones, the most urgent first and of those the newest. */
  readonly order: 'number' | 'urgency';
  /** Only incidents behind it; null at the start. */
  readonly after: IncidentPosition | null;
  /** Only with one of these; absent: with any. */
  readonly statuses?: readonly Status[] | undefined;
  readonly priorities?: readonly string[] | undefined;
  /** Of what is over; none: nobody has said what it was. */
  readonly verdicts?: readonly (Verdict | 'none')[] | undefined;
  /** Who is asked for the verdict that is missing. */
  readonly verdictExpectedFrom?: string | undefined;
  /** Whether a person acknowledged it at any time. */
  readonly acknowledged?: boolean | undefined;
  /** Only tests, or only others. */
  readonly isTest?: boolean | undefined;
  /** Only with these values, by column. */
  readonly values: Readonly<Record<string, string>>;
  /** Only with such an alert, whether it opened the incident or joined it. */
  readonly alert?: { readonly [Part in keyof AlertKey]?: string | undefined };
  /** A part of the title or of the key of one of its alerts, in any case. */
  readonly text?: string | undefined;
  readonly responderId?: string | undefined;
  /** A routing rule that did something to it. */
  readonly ruleId?: string | undefined;
  /** Who is a responder, was paged, or acknowledged it. */
  readonly involves?: string | undefined;
  /** When they were opened. */
  readonly from?: Temporal.Instant | undefined;
  readonly to?: Temporal.Instant | undefined;
  readonly resolvedFrom?: Temporal.Instant | undefined;
  readonly resolvedTo?: Temporal.Instant | undefined;
  /** The local time at which they were opened. */
  readonly localTime?: LocalTime | undefined;
  /** With what only the engine reads, for `wholeIncident`. */
  readonly isWhole?: boolean;
};

/** The weekday by its number, Monday is 1; offsets of the whole interval in which they were opened. */
export type LocalTime = {
  readonly offsets: Offsets;
  readonly weekday?: number | undefined;
  readonly hour?: number | undefined;
};

type IncidentPage = {
  readonly incidents: readonly ListedIncident[];
  /** What the next page comes after; null on the last one. */
  readonly next: IncidentPosition | null;
};

type Row = ListedIncident & {
  readonly urgency: number | null;
  readonly searched_urgency: number | null;
  readonly searched_number: number | null;
};

const listedColumns = columns.filter((name) => name !== 'escalation' && name !== 'steps');

export async function listIncidents(
  sql: Queries,
  scope: Scope,
  list: IncidentList,
): Promise<IncidentPage> {
  const isByUrgency = list.order === 'urgency';
  const urgency = isByUrgency
    ? sql`incident_urgency(status, priority, severity)`
    : sql`null::integer`;
  const from = sql`from incidents where ${baseOf(sql, scope, list)}`;
  const place = sql`${urgency} as urgency, -number as age`;
  // The same order by the same columns inside and outside: what is not needed is not read.
  const order = sql`order by ${isByUrgency ? sql`urgency, age` : sql`number desc`}`;
  const rows = await sql<Row[]>`
    with page as materialized (
      select ${columnList(sql, list.isWhole ? columns : listedColumns)}, urgency, age
      from (select *, ${place} ${from} ${order} limit ${queryLimits.incidentsSearched}) as searched
      where ${filtersOf(sql, scope, list)} ${order} limit ${list.limit + 1}
    )
    select page.*, last.urgency as searched_urgency, last.number as searched_number
    from (select count(*) <= ${list.limit} as is_short from page) as length
    left join lateral (
      select number, ${place} ${from} and length.is_short
      ${order} offset ${queryLimits.incidentsSearched - 1} limit 1
    ) as last on true
    left join page on true
    order by ${isByUrgency ? sql`page.urgency, page.age` : sql`page.number desc`}`;
  const fitting = rows.filter(({ id }) => id !== null);
  const incidents = fitting.slice(0, list.limit);
  const lastShown = fitting.length > list.limit ? incidents.at(-1) : undefined;
  return { incidents, next: lastShown ?? lastSearched(rows) };
}

/** By its number, as it is on a list. */
export async function findListed(
  sql: Queries,
  scope: Scope,
  number: number,
): Promise<ListedIncident | null> {
  const [row] = await sql<ListedIncident[]>`
    select ${columnList(sql, listedColumns)} from incidents
    where ${inScope(sql, scope)} and number = ${number}`;
  return row ?? null;
}

/** Of a list of whole incidents; throws when what is stored as JSON cannot be read. */
export const wholeIncident = (listed: ListedIncident): Incident =>
  incidentOf(listed as IncidentRow);

function lastSearched([row]: readonly Row[]): IncidentPosition | null {
  if (row === undefined || row.searched_number === null) return null;
  return { urgency: row.searched_urgency, number: row.searched_number };
}

const openStatuses: readonly Status[] = ['triggered', 'acknowledged'];

/** Whether only open incidents are asked for. */
export const isOfOpen = ({ statuses }: Pick<IncidentList, 'statuses'>): boolean =>
  statuses?.every((status) => openStatuses.includes(status)) ?? false;

/** What indexes know. */
function baseOf(sql: Queries, { organizationId }: Scope, list: IncidentList) {
  const { order, after, from, to } = list;
  const all = sql`organization_id = ${organizationId}
    ${isOfOpen(list) ? sql`and status <> 'resolved'` : sql``}`;
  if (order === 'urgency')
    return after === null
      ? all
      : sql`${all} and (incident_urgency(status, priority, severity), (-number))
          > (${after.urgency}, ${-after.number})`;
  return sql`${all}
    ${after === null ? sql`` : sql`and number < ${after.number}`}
    ${from === undefined ? sql`` : sql`and number > ${numberBefore(sql, organizationId, from)}`}
    ${to === undefined ? sql`` : sql`and number < ${numberAfter(sql, organizationId, to)}`}`;
}

// Servers give numbers in the order of their commits, and times by their own clocks.
const numberBefore = (sql: Queries, organizationId: string, at: Temporal.Instant) => sql`coalesce((
  select number from incidents
  where organization_id = ${organizationId} and created_at < ${at.subtract(clockSkew)}
  order by created_at desc limit 1), 0)`;

const numberAfter = (sql: Queries, organizationId: string, at: Temporal.Instant) => sql`coalesce((
  select number from incidents
  where organization_id = ${organizationId} and created_at > ${at.add(clockSkew)}
  order by created_at limit 1), 2147483647)`;

function filtersOf(sql: Queries, scope: Scope, list: IncidentList) {
  const { statuses, priorities, values, text, responderId, involves, ruleId } = list;
  const { verdicts, verdictExpectedFrom, from, to, resolvedFrom, resolvedTo } = list;
  const { acknowledged, isTest, alert, localTime: local } = list;
  const conditions = [
    ...Object.entries(values).map(([column, value]) => sql`${sql(column)} = ${value}`),
    ...(statuses ? [sql`status = any(${[...statuses]})`] : []),
    ...(priorities ? [sql`priority = any(${[...priorities]})`] : []),
    ...(verdicts ? [withVerdict(sql, verdicts)] : []),
    ...(verdictExpectedFrom === undefined ? [] : [expectsVerdictFrom(sql, verdictExpectedFrom)]),
    ...(acknowledged === undefined
      ? []
      : [sql`exists (${acknowledgements(sql)}) = ${acknowledged}`]),
    ...(isTest === undefined ? [] : [sql`is_test = ${isTest}`]),
    ...withAlert(sql, alert),
    ...(text === undefined ? [] : [naming(sql, text)]),
    ...(responderId === undefined ? [] : [sql`responder_ids::jsonb ? ${responderId}`]),
    ...(ruleId === undefined ? [] : [sql`${appliedRules(sql)} ? ${ruleId}`]),
    ...(involves === undefined ? [] : [involving(sql, involves)]),
    ...(from ? [sql`created_at >= ${from}`] : []),
    ...(to ? [sql`created_at < ${to}`] : []),
    ...(resolvedFrom ? [sql`resolved_at >= ${resolvedFrom}`] : []),
    ...(resolvedTo ? [sql`resolved_at < ${resolvedTo}`] : []),
    ...(local ? openedAt(sql, local) : []),
  ];
  return conditions.reduce((all, one) => sql`${all} and ${one}`, inScope(sql, scope));
}

function withAlert(
  sql: Queries,
  { integration_id: integration, dedup_key: key }: NonNullable<IncidentList['alert']> = {},
) {
  if (integration === undefined && key === undefined) return [];
  const isOf = (column: Fragment, value: string | undefined) =>
    value === undefined ? sql`true` : sql`${column} = ${value}`;
  // Joined with an empty text: an index of keys would be read for each incident that is searched.
  const joined = sql`${isOf(sql`a.integration_id`, integration)}
    and ${isOf(sql`a.dedup_key || ''`, key)}`;
  return [
    sql`(
    case when alerts_total is null
      then source_integration_id is not null
        and ${isOf(sql`source_integration_id`, integration)} and ${isOf(sql`dedup_key`, key)}
      else ${hasAlert(sql, joined)} end)`,
  ];
}

const naming = (sql: Queries, text: string) => {
  const isIn = (title: Fragment, key: Fragment) =>
    sql`strpos(lower(${title} || chr(10) || ${key}), lower(${text})) > 0`;
  return sql`(${isIn(sql`title`, sql`dedup_key`)}
    or alerts_total is not null and ${hasAlert(sql, isIn(sql`a.title`, sql`a.dedup_key`))})`;
};

/** By the key of each incident that is searched: without `offset 0`, all alerts may be read for a hash. */
const hasAlert = (sql: Queries, condition: Fragment) => sql`exists (
  select from incident_alerts a
  where a.organization_id = searched.organization_id and a.incident_id = searched.id
    and ${condition} offset 0)`;

function openedAt(sql: Queries, { offsets, weekday, hour }: LocalTime) {
  const local = localTime(sql, sql`created_at`, offsets);
  return [
    ...(weekday === undefined ? [] : [sql`extract(isodow from ${local}) = ${weekday}::integer`]),
    ...(hour === undefined ? [] : [sql`extract(hour from ${local}) = ${hour}::integer`]),
  ];
}

/** The ids of the routing rules that did something to an incident; null if that cannot be read. */
export const appliedRules = (sql: Queries) => sql`(escalation->'appliedRules')::jsonb`;

/**
 * Whether a verdict is expected: what was merged has that of the other one, what was opened again
 * may turn out to be something else, and a test was nothing.
 */
export const isEnded = (sql: Queries) =>
  sql`(status = 'resolved' and merged_into_id is null and not is_test)`;

const withVerdict = (sql: Queries, verdicts: readonly string[]) =>
  sql`(${isEnded(sql)} and coalesce(verdict, 'none') = any(${[...verdicts]}))`;

/**
 * Whoever resolved it. If no person did, it is who acknowledged it last, and if nobody did, all whom
 * it paged. Others may say it too, but are not asked.
 */
const expectsVerdictFrom = (sql: Queries, userId: string) => sql`(
  ${withVerdict(sql, ['none'])} and coalesce(
    (select case when t.actor->>'type' = 'user' then t.actor->>'id' = ${userId} end
      from timeline t
      where t.organization_id = searched.organization_id and t.incident_id = searched.id
        and t.type = 'resolved'
      order by t.sequence desc limit 1),
    (select by = ${userId} from (${acknowledgements(sql)}) as a order by sequence desc limit 1),
    exists (${pageTo(sql, userId)})))`;

/** Of what is searched, where nobody has to look for the pages of all incidents. */
const involving = (sql: Queries, userId: string) => sql`(
  responder_ids::jsonb ? ${userId}
  or exists (${pageTo(sql, userId)})
  or status <> 'triggered' and ${userId} in (select by from (${acknowledgements(sql)}) as a))`;

/** By people. */
const acknowledgements = (sql: Queries) => sql`
  select t.sequence, t.actor->>'id' as by from timeline t
  where t.organization_id = searched.organization_id and t.incident_id = searched.id
    and t.type = 'acknowledged' and t.actor->>'type' = 'user'`;

const pageTo = (sql: Queries, userId: string) => sql`
  select from outbox o
  where o.organization_id = searched.organization_id and o.incident_id = searched.id
    and o.user_id = ${userId} and o.kind = any(${[...pageKinds]}) and o.state <> 'cancelled'`;
