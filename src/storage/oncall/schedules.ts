// Schedules as on-call maths takes them: what was in force when.
import type {
  History,
  InactivityVersion,
  OverrideVersion,
} from '../../oncall/revisions/history.ts';
import type { Queries } from '../database/database.ts';
import { inScope, type Scope } from '../records/queries.ts';
import { layersOf } from './layers.ts';
import { parseAnchors, parseByDesign, parseLayers } from './stored-layers.ts';

export type ScheduleWithHistory = {
  readonly id: string;
  readonly counter: number;
  readonly name: string;
  readonly timezone: string;
  readonly team_id: string;
  readonly archived: boolean;
  readonly created_at: Temporal.Instant;
  readonly history: History;
};

type SchedulesQuery = {
  readonly organizationId: string;
  readonly ids: readonly string[];
  /** What can be told of the time from then on, with and without edits made then or later. */
  readonly since: Temporal.Instant;
};

/** By id; those that do not exist are left out. */
export async function readSchedules(
  sql: Queries,
  { organizationId, ids, since }: SchedulesQuery,
): Promise<ReadonlyMap<string, ScheduleWithHistory>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<ScheduleRow[]>`
    select s.id, s.counter, s.name, s.timezone, s.team_id, s.archived_at is not null as archived,
      s.created_at, ${historySince(sql, since)}
    from oncall_schedules s
    where s.organization_id = ${organizationId} and s.id = any(${[...ids]})`;
  return new Map(
    rows.map(({ revisions, overrides, inactive, uncovered_by_design, ...schedule }) => [
      schedule.id,
      {
        ...schedule,
        history: historyOf({ revisions, overrides, inactive, uncovered_by_design }),
      },
    ]),
  );
}

type ScheduleRow = Omit<ScheduleWithHistory, 'history'> & HistoryRow;

/** Columns of a schedule, called `s`. */
export const historySince = (sql: Queries, since: Temporal.Instant) => sql`
  ${revisionsSince(sql, since)} as revisions, ${overridesSince(sql, since)} as overrides,
  ${inactivitySince(sql, since)} as inactive, s.uncovered_by_design`;

export type HistoryRow = {
  readonly revisions: readonly RevisionRow[];
  readonly overrides: readonly VersionRow[] | null;
  readonly inactive: readonly InactivityRow[] | null;
  readonly uncovered_by_design: unknown;
};

export const historyOf = (row: HistoryRow): History => ({
  revisions: row.revisions.map(revisionOf),
  overrides: (row.overrides ?? []).map(versionOf),
  ...(row.inactive && { inactive: row.inactive.map(periodOf) }),
  ...(row.uncovered_by_design !== null && {
    uncovered_by_design: parseByDesign(row.uncovered_by_design),
  }),
});

/** As json: times are texts. */
type RevisionRow = {
  readonly edit: number;
  readonly in_force_from: string;
  readonly archived: boolean;
  readonly timezone: string;
  readonly layers: unknown;
  readonly anchors: unknown;
};

// The one that was in force just before, and all later ones.
const revisionsSince = (sql: Queries, since: Temporal.Instant) => sql`(
  select json_agg(json_build_object('edit', r.edit, 'in_force_from', r.in_force_from,
    'archived', r.archived, 'timezone', r.timezone, 'layers', r.layers, 'anchors', r.anchors)
    order by r.number)
  from schedule_revisions r
  where r.organization_id = s.organization_id and r.oncall_schedule_id = s.id
    and r.number >= ${firstNumberSince(sql, since)})`;

const firstNumberSince = (sql: Queries, since: Temporal.Instant) => sql`coalesce((
  select b.number from schedule_revisions b
  where b.organization_id = s.organization_id and b.oncall_schedule_id = s.id
    and b.in_force_from < ${since}
  order by b.number desc limit 1), 1)`;

const revisionOf = ({ edit, in_force_from, archived, timezone, ...row }: RevisionRow) => ({
  edit,
  from: Temporal.Instant.from(in_force_from),
  archived,
  timezone,
  layers: layersOf(parseLayers(row.layers), parseAnchors(row.anchors)),
});

type VersionRow = {
  readonly id: string;
  readonly user_id: string | null;
  readonly replaces_user_id: string | null;
  readonly start_at: string;
  readonly end_at: string;
  readonly edit: number;
  readonly in_force_from: string;
  readonly ended_edit: number | null;
  readonly in_force_until: string | null;
  /** Of one that takes somebody off. */
  readonly comment: string | null;
  readonly author: string | null;
};

// Oldest first: by when each was first made, which ids of several servers do not tell.
const overridesSince = (sql: Queries, since: Temporal.Instant) => sql`(
  select json_agg(json_build_object('id', o.id, 'user_id', o.user_id,
    'replaces_user_id', o.replaces_user_id, 'start_at', o.start_at, 'end_at', o.end_at,
    'edit', o.edit, 'in_force_from', o.in_force_from, 'ended_edit', o.ended_edit,
    'in_force_until', o.in_force_until,
    'comment', case when o.user_id is null then o.comment end,
    'author', case when o.user_id is null then o.actor->>'name' end) order by first.edit, o.number)
  from oncall_overrides o
  join oncall_overrides first
    on first.organization_id = o.organization_id and first.id = o.id and first.number = 1
  where o.organization_id = s.organization_id and o.oncall_schedule_id = s.id
    and o.end_at > ${since} and (o.in_force_until is null or o.in_force_until >= ${since}))`;

function versionOf(row: VersionRow): OverrideVersion {
  const { in_force_until, ended_edit, replaces_user_id, comment, author } = row;
  const ended =
    in_force_until === null || ended_edit === null
      ? null
      : { edit: ended_edit, at: Temporal.Instant.from(in_force_until) };
  return {
    id: row.id,
    user_id: row.user_id,
    ...(replaces_user_id !== null && { replaces_user_id }),
    start: Temporal.Instant.from(row.start_at),
    end: Temporal.Instant.from(row.end_at),
    ...(comment !== null && { comment }),
    ...(author !== null && { author }),
    edit: row.edit,
    in_force_from: Temporal.Instant.from(row.in_force_from),
    ended,
  };
}

type InactivityRow = {
  readonly user_id: string;
  readonly edit: number;
  readonly in_force_from: string;
  readonly ended_edit: number | null;
  readonly in_force_until: string | null;
};

const inactivitySince = (sql: Queries, since: Temporal.Instant) => sql`(
  select json_agg(json_build_object('user_id', i.user_id, 'edit', i.edit,
    'in_force_from', i.in_force_from, 'ended_edit', i.ended_edit,
    'in_force_until', i.in_force_until) order by i.edit, i.user_id)
  from schedule_inactivity i
  where i.organization_id = s.organization_id and i.oncall_schedule_id = s.id
    and (i.in_force_until is null or i.in_force_until >= ${since}))`;

const periodOf = ({ user_id, edit, ended_edit, ...row }: InactivityRow): InactivityVersion => ({
  user_id,
  start: Temporal.Instant.from(row.in_force_from),
  end: row.in_force_until === null ? null : Temporal.Instant.from(row.in_force_until),
  edit,
  ended_edit,
});

export type ScheduleIdsQuery = {
  readonly scope: Scope;
  /** Only schedules that ever named this person, in a layer or an override. */
  readonly naming: string | null;
  /** Of `naming`, only what was in force then or later counts; absent: all that ever was. */
  readonly namingSince?: Temporal.Instant;
  /** Also those that were archived after it. */
  readonly activeAfter?: Temporal.Instant;
  /** Only schedules numbered above it. */
  readonly after: number;
  readonly limit: number;
};

/** Active schedules by counter. */
export async function listScheduleIds(
  sql: Queries,
  { scope, naming, namingSince, activeAfter, after, limit }: ScheduleIdsQuery,
): Promise<readonly { readonly id: string; readonly counter: number }[]> {
  return sql<{ id: string; counter: number }[]>`
    select id, counter from oncall_schedules s
    where ${inScope(sql, scope)} and counter > ${after}
      and (archived_at is null or archived_at > ${activeAfter ?? null})
      ${naming === null ? sql`` : sql`and ${isNamed(sql, naming, namingSince)}`}
    order by counter limit ${limit}`;
}

type Read = (ids: readonly string[]) => Promise<ReadonlyMap<string, ScheduleWithHistory>>;

/** The same, each with as much of its history as `read` answers. */
export async function listSchedules(
  sql: Queries,
  query: ScheduleIdsQuery,
  read: Read,
): Promise<readonly ScheduleWithHistory[]> {
  const ids = (await listScheduleIds(sql, query)).map(({ id }) => id);
  const known = await read(ids);
  return ids.flatMap((id) => known.get(id) ?? []);
}

// Limited subqueries are asked per schedule, by its index; an `exists` might read the whole table.
const isNamed = (sql: Queries, userId: string, since?: Temporal.Instant) => sql`coalesce(
  (select true from schedule_revisions r where r.organization_id = s.organization_id
    and r.oncall_schedule_id = s.id and strpos(r.layers::text, ${userId}) > 0
    ${since ? sql`and r.number >= ${firstNumberSince(sql, since)}` : sql``} limit 1),
  (select true from oncall_overrides o where o.organization_id = s.organization_id
    and o.oncall_schedule_id = s.id and o.user_id = ${userId}
    ${since ? sql`and o.end_at > ${since}` : sql``} limit 1))`;
