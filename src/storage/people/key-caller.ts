// Who calls with an API key.
import type { Queries } from '../database.ts';

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

/** The living key with this digest; that of a person lives while they are active. */
export async function keyByDigest(
  sql: Queries,
  digest: Uint8Array,
  now: Temporal.Instant,
): Promise<KeyCaller | null> {
  const [row] = await sql<KeyCaller[]>`
    select k.organization_id, k.id, k.name, k.role, u.role as person_role, k.team_ids,
      k.default_team_id, k.last_used_at
    from api_keys k left join users u on u.organization_id = k.organization_id and u.id = k.user_id
    where k.digest = ${digest} and k.archived_at is null
      and (k.expires_at is null or k.expires_at > ${now.toString()})
      and (k.user_id is null or u.active)`;
  return row ?? null;
}

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
