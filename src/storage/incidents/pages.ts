// Pages to people and chats, about any incident, newest first. One list is looked for among so many
// pages: if fewer of them fit, it is shorter, and continues behind the last that was looked at, as
// lists of incidents do (docs/decisions/0043-lists-of-incidents.md).
import type { Fragment } from 'postgres';
import type { NoticeState } from '../../engine/ports/sending.ts';
import { pageKinds } from '../../incidents/incident.ts';
import { queryLimits } from '../../limits/queries.ts';
import { deviceChannel } from '../../resources/channels.ts';
import type { Queries } from '../database/database.ts';
import { type NoticeRow, noticeColumns } from './incidents.ts';
import { isAtNight, type Night, nightClocks } from './nights.ts';

export type PageRow = NoticeRow & {
  /** Counted from 0; less: the page belongs to no step. */
  readonly step: number;
  readonly incident_id: string;
  readonly incident_number: number;
  readonly incident_title: string;
  readonly team_id: string;
  readonly service_id: string;
  readonly service_name: string | null;
  readonly muted_until: Temporal.Instant | null;
};

/** Of the last page already seen. */
export type PageCursor = { readonly at: Temporal.Instant; readonly key: string };

/** Whose pages somebody may read. */
export type PageReader = {
  /** Pages to this person, whatever they are about; null: of nobody. */
  readonly userId: string | null;
  /** Pages about incidents of these teams; null: all pages. */
  readonly teamIds: readonly string[] | null;
};

export type PageFilters = {
  readonly organizationId: string;
  readonly reader: PageReader;
  readonly userId?: string | undefined;
  readonly channel?: string | undefined;
  readonly incident?: { readonly id: string } | { readonly counter: number } | undefined;
  readonly states?: readonly NoticeState[] | undefined;
  /** When they were decided. */
  readonly from?: Temporal.Instant | undefined;
  readonly to?: Temporal.Instant | undefined;
  /** Only pages about incidents of these teams, and with these values, by column. */
  readonly ofTeams?: readonly string[] | undefined;
  readonly values?: Readonly<Record<string, string>>;
  /** Only pages about tests, or only others. */
  readonly isTest?: boolean | undefined;
  /** Only pages to people that were decided at night where they are. */
  readonly night?: Night | undefined;
};

type PagesQuery = PageFilters & { readonly limit: number; readonly before: PageCursor | null };

type Pages = {
  readonly rows: readonly PageRow[];
  /** What the next list comes after; null on the last one. */
  readonly next: PageCursor | null;
};

type Searched = {
  readonly searched_at: Temporal.Instant | null;
  readonly searched_key: string | null;
};

/** With the address of the present contact, but of pushes, which go to all devices, and of chats. */
export async function listPages(sql: Queries, query: PagesQuery): Promise<Pages> {
  const { limit, before } = query;
  const from = sql`
    from outbox where ${baseOf(sql, query)}
    ${before === null ? sql`` : sql`and (created_at, key) < (${before.at}, ${before.key})`}`;
  const order = sql`order by created_at desc, key desc`;
  const read = await sql<(PageRow & Searched)[]>`
    with page as materialized (
      select searched.*
      from (select * ${from} ${order} limit ${queryLimits.pagesSearched}) as searched ${clocksOf(sql, query)}
      where ${filtersOf(sql, query)} ${order} limit ${limit + 1}
    )
    select ${noticeColumns(sql)}, o.step, o.incident_id, i.number as incident_number,
      i.title as incident_title, i.team_id, i.service_id, s.name as service_name, i.muted_until,
      case when o.user_id is not null and o.channel <> ${deviceChannel}
        then o.notice->>'address' end as address,
      last.created_at as searched_at, last.key as searched_key
    from (select count(*) <= ${limit} as is_short from page) as length
    left join lateral (
      select created_at, key ${from} and length.is_short
      ${order} offset ${queryLimits.pagesSearched - 1} limit 1
    ) as last on true
    left join page o on true
    left join incidents i on i.organization_id = o.organization_id and i.id = o.incident_id
    left join services s on s.organization_id = i.organization_id and s.id = i.service_id
    order by o.created_at desc, o.key desc`;
  const fitting = read.filter(({ key }) => key !== null);
  const rows = fitting.slice(0, limit).map(({ searched_at: _, searched_key: __, ...row }) => row);
  const lastShown = fitting.length > limit ? rows.at(-1) : undefined;
  if (lastShown) return { rows, next: { at: lastShown.created_at, key: lastShown.key } };
  const [{ searched_at: at, searched_key: key } = {}] = read;
  return { rows, next: at && key ? { at, key } : null };
}

export type DayCount = {
  /** The place of its day, counted from 0. */
  readonly day: number;
  readonly state: NoticeState;
  readonly count: number;
};

type Counted = {
  readonly counts: readonly DayCount[];
  /** Since when all are counted; null: all are. */
  readonly since: Temporal.Instant | null;
};

/** By day and state; `days` has the beginning of each. The newest are counted, up to so many. */
export async function countPages(
  sql: Queries,
  query: PageFilters,
  days: readonly Temporal.Instant[],
): Promise<Counted> {
  const most = queryLimits.pagesCounted;
  const rows = await sql<(DayCount & { since: Temporal.Instant | null })[]>`
    with searched as materialized (
      select organization_id, incident_id, user_id, channel, state, created_at
      from outbox where ${baseOf(sql, query)} order by created_at desc, key desc limit ${most}
    ), counted as (
      select width_bucket(created_at, ${[...days]}::timestamptz[]) - 1 as day, state,
        count(*)::integer as count
      from searched ${clocksOf(sql, query)} where ${filtersOf(sql, query)} group by 1, 2
    )
    select counted.*, whole.since
    from (select case when count(*) = ${most} then min(created_at) end as since from searched) whole
    left join counted on true`;
  const counts = rows.flatMap(({ day, state, count }) =>
    day === null ? [] : [{ day, state, count }],
  );
  return { counts, since: rows[0]?.since ?? null };
}

/** Chats have no night. */
const clocksOf = (sql: Queries, { organizationId, night }: PageFilters) =>
  night === undefined
    ? sql``
    : sql`join ${nightClocks(sql, organizationId, night)} on person_id = searched.user_id`;

/** The predicate of the index, which is found by its text. */
const isPage = (sql: Queries) =>
  sql.unsafe(`kind in (${pageKinds.map((kind) => `'${kind}'`).join(', ')})`);

/** What indexes know. */
export function baseOf(
  sql: Queries,
  { organizationId, reader, userId, incident, from, to }: PageFilters,
) {
  const own = reader.teamIds?.length === 0 ? reader.userId : undefined;
  const ofIncident =
    incident &&
    ('id' in incident
      ? sql`and incident_id = ${incident.id}`
      : sql`and incident_id = (
          select id from incidents
          where organization_id = ${organizationId} and number = ${incident.counter})`);
  return sql`organization_id = ${organizationId} and ${isPage(sql)} and incident_id is not null
    ${userId === undefined ? sql`` : sql`and user_id = ${userId}`}
    ${own === undefined ? sql`` : sql`and user_id = ${own}`}
    ${ofIncident ?? sql``}
    ${from === undefined ? sql`` : sql`and created_at >= ${from}`}
    ${to === undefined ? sql`` : sql`and created_at < ${to}`}`;
}

/** Of what is searched: whether somebody may read it, and it is what was asked for. */
export function filtersOf(sql: Queries, query: PageFilters) {
  const { reader, channel, states, night, isTest, ofTeams: wanted, values = {} } = query;
  const { userId, teamIds } = reader;
  const ofIncidents = (condition: Fragment) => sql`exists (
    select from incidents i
    where i.organization_id = searched.organization_id and i.id = searched.incident_id
      and ${condition})`;
  const ofTeams = (ids: readonly string[]) => ofIncidents(sql`i.team_id = any(${[...ids]})`);
  const narrowing = [
    ...(wanted === undefined ? [] : [sql`i.team_id = any(${[...wanted]})`]),
    ...Object.entries(values).map(([column, value]) => sql`${sql(`i.${column}`)} = ${value}`),
  ];
  const readable =
    teamIds === null
      ? sql`true`
      : userId === null
        ? ofTeams(teamIds)
        : sql`(user_id = ${userId} or ${ofTeams(teamIds)})`;
  return sql`${readable}
    ${channel === undefined ? sql`` : sql`and channel = ${channel}`}
    ${states === undefined ? sql`` : sql`and state = any(${[...states]})`}
    ${night === undefined ? sql`` : sql`and ${isAtNight(sql)}`}
    ${isTest === undefined ? sql`` : sql`and ${ofIncidents(sql`i.is_test`)} = ${isTest}`}
    ${narrowing.length === 0 ? sql`` : sql`and ${ofIncidents(narrowing.reduce((all, one) => sql`${all} and ${one}`))}`}`;
}
