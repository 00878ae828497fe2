// Who calls with an API key.
import type { Queries } from '../database.ts';

export type KeyCaller = {
  readonly organization_id: string;
  readonly id: string;
  readonly name: string;
  readonly role: string;
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
    select organization_id, id, name, role, team_ids, default_team_id, last_used_at
    from api_keys k where digest = ${digest} and archived_at is null
      and (expires_at is null or expires_at > ${now.toString()})
      and (user_id is null or exists (
        select from users u where u.organization_id = k.organization_id and u.id = k.user_id
          and u.active))`;
  return row ?? null;
}

/** At most once in `every`, however many servers try. */
export async function noteUse(
  sql: Queries,
  key: KeyCaller,
  { now, every }: { readonly now: Temporal.Instant; readonly every: Temporal.Duration },
): Promise<void> {
  await sql`
    update api_keys set last_used_at = ${now.toString()}
    where organization_id = ${key.organization_id} and id = ${key.id}
      and (last_used_at is null or last_used_at <= ${now.subtract(every).toString()})`;
}
