import type { Ids } from '../../engine/ids.ts';
import { accessLimits } from '../../limits/access.ts';
import { type Queries, type Sql, type Transaction, transact } from '../database/database.ts';
import { type ListQuery, type Page, pageOf } from '../database/page.ts';
import { type Act, audit } from '../organizations/audit.ts';
import { json, timeText } from '../records/rows.ts';
import { auditedKey } from './audited.ts';

export type ApiKeyFields = {
  readonly name: string;
  readonly role: string;
  /** Absent: every team. */
  readonly team_ids?: readonly string[];
  readonly default_team_id?: string;
  readonly expires_at?: string;
};

export type ApiKey = ApiKeyFields & {
  readonly id: string;
  readonly prefix: string;
  readonly last_used_at?: string;
  readonly created_at: string;
  readonly created_by: string;
  /** Whose key it is; absent: the organisation's own. */
  readonly user_id?: string;
  /** The key that made it. */
  readonly made_by_key_id?: string;
  /** Whether it ends with that key. */
  readonly ends_with_maker?: boolean;
  readonly archived_at?: string;
};

/** The key that was to make one was revoked meanwhile. */
export class MakerRevoked extends Error {
  override readonly name = 'MakerRevoked';
}

/** A key's teams must be active teams of its organisation. */
export class UnknownKeyTeams extends Error {
  override readonly name = 'UnknownKeyTeams';
  readonly ids: readonly string[];

  constructor(ids: readonly string[]) {
    super(`not active teams: ${ids.join(', ')}`);
    this.ids = ids;
  }
}

type ApiKeyRow = {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly team_ids: readonly string[] | null;
  readonly default_team_id: string | null;
  readonly prefix: string;
  readonly expires_at: Temporal.Instant | null;
  readonly last_used_at: Temporal.Instant | null;
  readonly created_at: Temporal.Instant;
  readonly created_by: string;
  readonly user_id: string | null;
  readonly made_by_key_id: string | null;
  readonly ends_with_maker: boolean;
  readonly archived_at: Temporal.Instant | null;
};

function apiKeyOf(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    ...(row.team_ids && { team_ids: row.team_ids }),
    ...(row.default_team_id && { default_team_id: row.default_team_id }),
    prefix: row.prefix,
    ...(row.expires_at && { expires_at: timeText(row.expires_at) }),
    ...(row.last_used_at && { last_used_at: timeText(row.last_used_at) }),
    created_at: timeText(row.created_at),
    created_by: row.created_by,
    ...(row.user_id && { user_id: row.user_id }),
    ...(row.made_by_key_id && {
      made_by_key_id: row.made_by_key_id,
      ends_with_maker: row.ends_with_maker,
    }),
    ...(row.archived_at && { archived_at: timeText(row.archived_at) }),
  };
}

const columns = (sql: Queries) => sql`
  id, name, role, team_ids, default_team_id, prefix, expires_at, last_used_at, created_at,
  created_by, user_id, made_by_key_id, ends_with_maker, archived_at`;

/** `teamIds`: only keys that are confined to these; null: all. */
export type KeyFilter = { readonly teamIds: readonly string[] | null; readonly archived: boolean };

const confinedTo = (sql: Queries, teamIds: readonly string[] | null) =>
  teamIds === null
    ? sql``
    : sql`and team_ids is not null and not exists (
        select from json_array_elements_text(team_ids) as team
        where team not in (select json_array_elements_text(${json(sql, teamIds)})))`;

type OneKey = {
  readonly organizationId: string;
  readonly teamIds: readonly string[] | null;
  readonly id: string;
};

export async function findApiKey(sql: Queries, key: OneKey): Promise<ApiKey | null> {
  const [row] = await sql<ApiKeyRow[]>`
    select ${columns(sql)} from api_keys
    where organization_id = ${key.organizationId} and id = ${key.id}
    ${confinedTo(sql, key.teamIds)}`;
  return row ? apiKeyOf(row) : null;
}

export async function listApiKeys(
  sql: Queries,
  query: ListQuery<KeyFilter>,
): Promise<Page<ApiKey>> {
  const { teamIds, archived } = query.filter;
  const rows = await sql<ApiKeyRow[]>`
    select ${columns(sql)} from api_keys
    where organization_id = ${query.organizationId} and id > ${query.after}
      and archived_at is ${archived ? sql`not null` : sql`null`}
    ${confinedTo(sql, teamIds)}
    order by id limit ${query.limit + 1}`;
  return pageOf(rows.map(apiKeyOf), query.limit);
}

type KeyCreation = {
  readonly act: Act;
  readonly ids: Ids;
  readonly fields: ApiKeyFields;
  readonly prefix: string;
  readonly digest: Uint8Array;
};

/** The organization has as many active ones as it may. */
export class TooManyKeys extends Error {}

export function createApiKey(sql: Sql, creation: KeyCreation): Promise<ApiKey> {
  return transact(sql, async (tx) => {
    await holdRoom(tx, creation.act);
    return insertApiKey(tx, creation);
  });
}

/** One creation at a time, so that they do not exceed the limit together. */
async function holdRoom(tx: Transaction, { organizationId }: Act): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('api keys ' || ${organizationId}, 0))`;
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from api_keys
    where organization_id = ${organizationId} and archived_at is null`;
  if ((row?.count ?? 0) >= accessLimits.apiKeys) throw new TooManyKeys();
}

export async function insertApiKey(tx: Transaction, creation: KeyCreation): Promise<ApiKey> {
  const { act, ids, fields } = creation;
  const id = ids.next();
  await checkTeams(tx, act, fields);
  const isMadeByKey = act.actor.kind === 'key';
  if (isMadeByKey) await holdMaker(tx, act);
  await tx`
    insert into api_keys (organization_id, id, name, role, team_ids, default_team_id, prefix,
      digest, expires_at, created_at, created_by, user_id, made_by_key_id, ends_with_maker)
    values (${act.organizationId}, ${id}, ${fields.name}, ${fields.role},
      ${fields.team_ids ? json(tx, fields.team_ids) : null}, ${fields.default_team_id ?? null},
      ${creation.prefix}, ${creation.digest}, ${fields.expires_at ?? null},
      ${act.now.toString()}, ${act.actor.name}, ${await ownerOf(tx, act)},
      ${isMadeByKey ? act.actor.id : null}, ${isMadeByKey})`;
  const after = await mustFind(tx, act, id);
  await audit(tx, ids, { act, ...auditedKey, action: 'create', id, after });
  return after;
}

/** Its revocation waits, and then finds the new key. */
async function holdMaker(tx: Transaction, { organizationId, actor }: Act): Promise<void> {
  const [maker] = await tx<{ isRevoked: boolean }[]>`
    select archived_at is not null as "isRevoked" from api_keys
    where organization_id = ${organizationId} and id = ${actor.id} for share`;
  if (maker?.isRevoked !== false) throw new MakerRevoked();
}

/** What a person makes is theirs; what a key makes belongs to whom that key belongs. */
async function ownerOf(tx: Transaction, { organizationId, actor }: Act): Promise<string | null> {
  if (actor.kind === 'session') return actor.id;
  const [maker] = await tx<{ user_id: string | null }[]>`
    select user_id from api_keys where organization_id = ${organizationId} and id = ${actor.id}`;
  return maker?.user_id ?? null;
}

async function checkTeams(tx: Transaction, act: Act, fields: ApiKeyFields): Promise<void> {
  const { team_ids = [], default_team_id } = fields;
  const named = default_team_id === undefined ? team_ids : [...team_ids, default_team_id];
  const missing = await tx<{ id: string }[]>`
    select named.id from json_array_elements_text(${json(tx, named)}) as named (id)
    where not exists (
      select from teams t where t.organization_id = ${act.organizationId} and t.id = named.id
        and t.archived_at is null)`;
  if (missing.length > 0) throw new UnknownKeyTeams(missing.map((row) => row.id));
}

type KeyChange = {
  readonly act: Act;
  readonly ids: Ids;
  readonly id: string;
  /** The name and the expiry as they shall be; everything else of a key is for ever. */
  readonly change: (before: ApiKey) => Pick<ApiKeyFields, 'name' | 'expires_at'>;
};

export function changeApiKey(sql: Sql, { act, ids, id, change }: KeyChange) {
  return transact(sql, async (tx) => {
    const before = await lockKey(tx, act, id);
    if (before === null) return null;
    const { name, expires_at } = change(before);
    await tx`
      update api_keys set name = ${name}, expires_at = ${expires_at ?? null}
      where organization_id = ${act.organizationId} and id = ${id}`;
    if (expires_at !== undefined) await endMadeBy(tx, { act, ids, id, expiresAt: expires_at });
    const after = await mustFind(tx, act, id);
    await audit(tx, ids, { act, ...auditedKey, action: 'update', id, before, after });
    return after;
  });
}

type KeyRevocation = {
  readonly act: Act;
  readonly ids: Ids;
  readonly id: string;
  readonly check: (before: ApiKey) => void;
};

export type Revoked = {
  readonly key: ApiKey;
  /** Those that ended with it. */
  readonly ended: readonly ApiKey[];
};

/** Null: no such key. The same answer when repeated. */
export function revokeApiKey(
  sql: Sql,
  { act, ids, id, check }: KeyRevocation,
): Promise<Revoked | null> {
  return transact(sql, async (tx) => {
    const before = await lockKey(tx, act, id);
    if (before === null) return null;
    if (before.archived_at !== undefined) return { key: before, ended: [] };
    check(before);
    await tx`
      update api_keys set archived_at = ${act.now.toString()}
      where organization_id = ${act.organizationId} and id = ${id}`;
    const ended = await endMadeBy(tx, { act, ids, id });
    const key = await mustFind(tx, act, id);
    await audit(tx, ids, { act, ...auditedKey, action: 'archive', id, before, after: key });
    return { key, ended };
  });
}

type MadeByEnd = {
  readonly act: Act;
  readonly ids: Ids;
  readonly id: string;
  /** Absent: they are revoked. */
  readonly expiresAt?: string;
};

/**
 * Keys that a key made end with it, at any remove: whoever found it could have made them. Level by level,
 * because whoever makes a key holds its maker: once a level is locked, the next one is whole.
 */
async function endMadeBy(
  tx: Transaction,
  { act, ids, id, expiresAt }: MadeByEnd,
): Promise<readonly ApiKey[]> {
  const { organizationId } = act;
  const all: ApiKey[] = [];
  for (let makers = [id]; makers.length > 0; ) {
    const made = await tx<ApiKeyRow[]>`
      select ${columns(tx)} from api_keys
      where organization_id = ${organizationId} and made_by_key_id = any(${makers})
        and ends_with_maker and archived_at is null
        ${
          expiresAt === undefined ? tx`` : tx`and (expires_at is null or expires_at > ${expiresAt})`
        }
      order by id for update`;
    makers = made.map((row) => row.id);
    await tx`
      update api_keys set ${
        expiresAt === undefined
          ? tx`archived_at = ${act.now.toString()}`
          : tx`expires_at = ${expiresAt}`
      }
      where organization_id = ${organizationId} and id = any(${makers})`;
    for (const row of made) {
      const after = await mustFind(tx, act, row.id);
      const action = expiresAt === undefined ? 'archive' : 'update';
      const before = apiKeyOf(row);
      await audit(tx, ids, {
        act: withoutRequest(act),
        ...auditedKey,
        action,
        id: row.id,
        before,
        after,
      });
      all.push(after);
    }
  }
  return all;
}

/** A request that is sent again is answered for the key that it names, and not for these. */
const withoutRequest = ({ repeatable: _, ...act }: Act): Act => act;

async function lockKey(tx: Transaction, act: Act, id: string): Promise<ApiKey | null> {
  await tx`
    select from api_keys where organization_id = ${act.organizationId} and id = ${id} for update`;
  return findApiKey(tx, { ...act, id });
}

async function mustFind(tx: Transaction, act: Act, id: string): Promise<ApiKey> {
  const key = await findApiKey(tx, { ...act, teamIds: null, id });
  if (key === null) throw new Error(`API key ${id} vanished while it was written`);
  return key;
}

/** The names of the keys of a person that are not revoked. */
export async function keyNamesOf(
  sql: Queries,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
): Promise<readonly string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from api_keys where organization_id = ${organizationId} and user_id = ${userId}
      and archived_at is null
    order by id`;
  return rows.map(({ name }) => name);
}

type MadeBy = {
  readonly organizationId: string;
  readonly id: string;
  readonly now: Temporal.Instant;
};

/** Those that this key made, and the keys that they made: as far as they are still accepted. */
export async function livingKeysMadeBy(
  sql: Queries,
  { organizationId, id, now }: MadeBy,
): Promise<readonly Pick<ApiKey, 'id' | 'name' | 'prefix'>[]> {
  return sql<Pick<ApiKey, 'id' | 'name' | 'prefix'>[]>`
    with recursive made as (
      select id from api_keys
      where organization_id = ${organizationId} and made_by_key_id = ${id}
      union all
      select k.id from api_keys k join made m on k.made_by_key_id = m.id
      where k.organization_id = ${organizationId}
    )
    select k.id, k.name, k.prefix from made m join api_keys k on k.id = m.id
    where k.organization_id = ${organizationId} and k.archived_at is null
      and (k.expires_at is null or k.expires_at > ${now.toString()})
    order by k.id`;
}
