// Who calls with an API key, and whether it is still accepted.
import type { Fragment } from 'postgres';
import type { Queries } from '../database/database.ts';

export type KeyCaller = {
  readonly organization_id: string;
  readonly id: string;
  readonly name: string;
  readonly role: string;
  /** What its person may do; null: it is the organisation's own. */
  readonly person_role: string | null;
  readonly team_ids: readonly string[] | null;
  readonly default_team_id: string | null;
  readonly last_used_at: Temporal.Instant | null;
};

/** Why a key is not accepted any more, and since when; that of a person ends with their account. */
export type KeyEnd =
  | { readonly why: 'revoked' | 'expired'; readonly at: Temporal.Instant }
  | { readonly why: 'deactivated' };

/** The key with this digest: whoever has it presents the whole secret, so they may know its end. */
export async function keyByDigest(
  sql: Queries,
  digest: Uint8Array,
  now: Temporal.Instant,
): Promise<KeyCaller | KeyEnd | null> {
  const [row] = await keys(sql, sql`k.digest = ${digest}`);
  return row === undefined ? null : (endOf(row, now) ?? row);
}

/** Those of these keys that live. */
export async function keysByIds(
  sql: Queries,
  ids: readonly string[],
  now: Temporal.Instant,
): Promise<KeyCaller[]> {
  const rows = await keys(sql, sql`k.id = any(${[...ids]})`);
  return rows.filter((row) => endOf(row, now) === null);
}

type StoredKey = KeyCaller & {
  readonly archived_at: Temporal.Instant | null;
  readonly expires_at: Temporal.Instant | null;
  /** Null: the key is of no person. */
  readonly person_active: boolean | null;
};

function endOf({ archived_at, expires_at, person_active }: StoredKey, now: Temporal.Instant) {
  if (archived_at !== null) return { why: 'revoked', at: archived_at } as const;
  if (expires_at !== null && Temporal.Instant.compare(expires_at, now) <= 0)
    return { why: 'expired', at: expires_at } as const;
  return person_active === false ? ({ why: 'deactivated' } as const) : null;
}

const keys = (sql: Queries, which: Fragment): Promise<StoredKey[]> =>
  sql<StoredKey[]>`
    select k.organization_id, k.id, k.name, k.role, u.role as person_role, k.team_ids,
      k.default_team_id, k.last_used_at, k.archived_at, k.expires_at, u.active as person_active
    from api_keys k left join users u on u.organization_id = k.organization_id and u.id = k.user_id
    where ${which}`;

/** At most once in `every`, however many servers try. */
export async function recordKeyUse(
  sql: Queries,
  key: KeyCaller,
  { now, every }: { readonly now: Temporal.Instant; readonly every: Temporal.Duration },
): Promise<void> {
  await sql`
    update api_keys set last_used_at = ${now.toString()}
    where organization_id = ${key.organization_id} and id = ${key.id}
      and (last_used_at is null or last_used_at <= ${now.subtract(every).toString()})`;
}
