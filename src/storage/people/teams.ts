import type { Ids } from '../../engine/ids.ts';
import { records } from '../../resources/index.ts';
import type { Queries, Sql, Transaction } from '../database/database.ts';
import { transact } from '../database/database.ts';
import { type ListQuery, type Page, pageOf } from '../database/page.ts';
import { type Act, type AuditedAction, audit } from '../organizations/audit.ts';
import { recordName } from '../records/names.ts';
import { inScope, type Scope } from '../records/queries.ts';
import { json, timeText } from '../records/rows.ts';
import { auditedTeam } from './audited.ts';
import { lockOrganization } from './users.ts';

export type TeamFields = {
  readonly name: string;
  readonly default: boolean;
  readonly user_ids: readonly string[];
};

export type Team = TeamFields & {
  readonly id: string;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly archived_at?: string;
};

/** Of the people that were to be in a team, these are not users here. */
export class UnknownUsers extends Error {
  override readonly name = 'UnknownUsers';
  readonly ids: readonly string[];

  constructor(ids: readonly string[]) {
    super(`not users: ${ids.join(', ')}`);
    this.ids = ids;
  }
}

/** What a team still owns; it cannot be archived before. */
export class TeamInUse extends Error {
  override readonly name = 'TeamInUse';
  readonly uses: readonly TeamUse[];

  constructor(uses: readonly TeamUse[]) {
    super('the team still owns active records');
    this.uses = uses;
  }
}

export type TeamUse = { readonly kind: string; readonly id: string; readonly name: string };

type TeamRow = Omit<Team, 'created_at' | 'updated_at' | 'archived_at'> & {
  readonly created_at: Temporal.Instant;
  readonly updated_at: Temporal.Instant;
  readonly archived_at: Temporal.Instant | null;
};

function teamOf({ created_at, updated_at, archived_at, ...rest }: TeamRow): Team {
  return {
    ...rest,
    created_at: timeText(created_at),
    updated_at: timeText(updated_at),
    ...(archived_at && { archived_at: timeText(archived_at) }),
  };
}

const columns = (sql: Queries) => sql`
  t.id, t.name, t.is_default as "default", t.version, t.created_at, t.updated_at, t.archived_at,
  coalesce((
    select json_agg(m.user_id order by m.position, m.user_id) from team_members m
    where m.organization_id = t.organization_id and m.team_id = t.id), '[]') as user_ids`;

export async function findTeam(
  sql: Queries,
  organizationId: string,
  id: string,
): Promise<Team | null> {
  const [row] = await sql<TeamRow[]>`
    select ${columns(sql)} from teams t
    where t.organization_id = ${organizationId} and t.id = ${id}`;
  return row ? teamOf(row) : null;
}

/** `teamIds`: only these; null: all. */
export type TeamFilter = {
  readonly teamIds: readonly string[] | null;
  readonly archived: boolean;
  readonly name?: string;
};

export async function listTeams(sql: Queries, query: ListQuery<TeamFilter>): Promise<Page<Team>> {
  const { teamIds, archived, name } = query.filter;
  const rows = await sql<TeamRow[]>`
    select ${columns(sql)} from teams t
    where t.organization_id = ${query.organizationId} and t.id > ${query.after}
      and t.archived_at is ${archived ? sql`not null` : sql`null`}
    ${
      teamIds === null
        ? sql``
        : sql`and t.id in (select json_array_elements_text(${json(sql, teamIds)}))`
    }
    ${name === undefined ? sql`` : sql`and t.name = ${name}`}
    order by t.id limit ${query.limit + 1}`;
  return pageOf(rows.map(teamOf), query.limit);
}

type TeamCreation = { readonly act: Act; readonly ids: Ids; readonly fields: TeamFields };

export function createTeam(sql: Sql, creation: TeamCreation): Promise<Team> {
  return transact(sql, async (tx) => {
    await lockOrganization(tx, creation.act.organizationId);
    return insertTeam(tx, creation);
  });
}

export async function insertTeam(
  tx: Transaction,
  { act, ids, fields }: TeamCreation,
): Promise<Team> {
  const id = ids.next();
  const at = act.now.toString();
  if (fields.default) await clearOtherDefault(tx, act, id);
  await tx`
    insert into teams (organization_id, id, name, is_default, version, created_at, updated_at)
    values (${act.organizationId}, ${id}, ${fields.name}, ${fields.default}, 1, ${at}, ${at})`;
  await setMembers(tx, { act, id, userIds: fields.user_ids });
  return auditTeam(tx, { act, ids, action: 'create', id });
}

type TeamWrite = { readonly act: Act; readonly ids: Ids; readonly id: string };
type TeamChange = TeamWrite & { readonly change: (before: Team) => TeamFields };

/** Null: no such team. */
export function changeTeam(sql: Sql, options: TeamChange): Promise<Team | null> {
  const { act, ids, id } = options;
  return transact(sql, async (tx) => {
    await lockOrganization(tx, act.organizationId);
    const before = await findTeam(tx, act.organizationId, id);
    if (before === null) return null;
    const fields = options.change(before);
    if (fields.default) await clearOtherDefault(tx, act, id);
    await tx`
      update teams set name = ${fields.name}, is_default = ${fields.default},
        version = version + 1, updated_at = ${act.now.toString()}
      where organization_id = ${act.organizationId} and id = ${id}`;
    await setMembers(tx, { act, id, userIds: fields.user_ids });
    return auditTeam(tx, { act, ids, action: 'update', id, before });
  });
}

type TeamArchiving = TeamWrite & { readonly check: (before: Team) => void };

/** Null: no such team. The same answer when repeated; refused while it owns active records. */
export function archiveTeam(
  sql: Sql,
  { act, ids, id, check }: TeamArchiving,
): Promise<Team | null> {
  return transact(sql, async (tx) => {
    await lockOrganization(tx, act.organizationId);
    const before = await findTeam(tx, act.organizationId, id);
    if (before === null || before.archived_at !== undefined) return before;
    check(before);
    // Held against the key share of a record that is being created in it.
    await tx`
      select from teams where organization_id = ${act.organizationId} and id = ${id} for update`;
    const uses = await usesOfTeam(tx, act.organizationId, id);
    if (uses.length > 0) throw new TeamInUse(uses);
    const at = act.now.toString();
    await tx`
      update teams set archived_at = ${at}, updated_at = ${at}, version = version + 1
      where organization_id = ${act.organizationId} and id = ${id}`;
    return auditTeam(tx, { act, ids, action: 'archive', id, before });
  });
}

/** Null: no such team. The same answer when repeated; the default again if no other is by now. */
export function restoreTeam(sql: Sql, { act, ids, id }: TeamWrite): Promise<Team | null> {
  return transact(sql, async (tx) => {
    await lockOrganization(tx, act.organizationId);
    const before = await findTeam(tx, act.organizationId, id);
    if (before?.archived_at === undefined) return before;
    await tx`
      update teams set archived_at = null, updated_at = ${act.now.toString()},
        version = version + 1, is_default = is_default and not exists (
          select from teams other where other.organization_id = ${act.organizationId}
            and other.is_default and other.archived_at is null)
      where organization_id = ${act.organizationId} and id = ${id}`;
    return auditTeam(tx, { act, ids, action: 'restore', id, before });
  });
}

const USES_LISTED = 100;

async function usesOfTeam(tx: Transaction, organizationId: string, id: string) {
  const uses: TeamUse[] = [];
  for (const record of records) {
    const { name, table } = record;
    const rows = await tx<{ id: string; name: string | null }[]>`
      select id, ${recordName(tx, record)} as name from ${tx(table)}
      where organization_id = ${organizationId} and team_id = ${id} and archived_at is null
      order by id limit ${USES_LISTED}`;
    uses.push(...rows.map((row) => ({ kind: name, id: row.id, name: row.name ?? row.id })));
  }
  const open = await tx<{ id: string; title: string }[]>`
    select id, title from incidents
    where organization_id = ${organizationId} and team_id = ${id} and status <> 'resolved'
    order by id limit ${USES_LISTED}`;
  uses.push(...open.map((row) => ({ kind: 'incident', id: row.id, name: row.title })));
  return uses.slice(0, USES_LISTED);
}

async function clearOtherDefault(tx: Transaction, act: Act, id: string): Promise<void> {
  await tx`
    update teams set is_default = false, version = version + 1, updated_at = ${act.now.toString()}
    where organization_id = ${act.organizationId} and is_default and archived_at is null
      and id <> ${id}`;
}

type TeamMembers = { readonly act: Act; readonly id: string; readonly userIds: readonly string[] };

async function setMembers(tx: Transaction, { act, id, userIds }: TeamMembers): Promise<void> {
  const list = json(tx, userIds);
  const missing = await tx<{ id: string }[]>`
    select named.id from json_array_elements_text(${list}) as named (id) where not exists (
      select from users u where u.organization_id = ${act.organizationId} and u.id = named.id)`;
  if (missing.length > 0) throw new UnknownUsers(missing.map((row) => row.id));
  await tx`
    delete from team_members where organization_id = ${act.organizationId} and team_id = ${id}`;
  await tx`
    insert into team_members (organization_id, team_id, user_id, position)
    select ${act.organizationId}, ${id}, user_id, min(position)
    from json_array_elements_text(${list}) with ordinality as member (user_id, position)
    group by user_id`;
}

type TeamAudit = TeamWrite & { readonly action: AuditedAction; readonly before?: Team };

/** The team as it is now; what was done to it is in the audit log. */
export async function auditTeam(tx: Transaction, { act, ids, ...entry }: TeamAudit): Promise<Team> {
  const after = await findTeam(tx, act.organizationId, entry.id);
  if (after === null) throw new Error(`team ${entry.id} vanished while it was written`);
  await audit(tx, ids, { act, ...auditedTeam, ...entry, after });
  return after;
}

/** A team that records can be made in. */
export type ActiveTeam = {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
};

/** The active teams that the caller may touch. */
export function activeTeams(sql: Queries, scope: Scope): Promise<readonly ActiveTeam[]> {
  return sql<ActiveTeam[]>`
    select id, name, is_default as "isDefault" from teams
    where ${inScope(sql, scope, 'id')} and archived_at is null order by id`.execute();
}
