// When connections are checked, and by which server.
import type { CheckClaim, DueCheck } from '../../engine/checking/checker.ts';
import type { Queries } from '../database/database.ts';

/** Those that are due, of connections in use, and that no other server is checking. */
export const claimChecks = (
  sql: Queries,
  { now, until, room }: CheckClaim,
): Promise<readonly DueCheck[]> =>
  sql<DueCheck[]>`
    with due as (
      select k.organization_id, k.connection_id, c.vendor,
        row_number() over (partition by c.vendor order by k.check_at, k.connection_id) as nth
      from connection_checks k join channel_connections c
        on c.organization_id = k.organization_id and c.id = k.connection_id
      where k.check_at <= ${now} and c.enabled and c.archived_at is null
    ), mine as (
      select k.organization_id, k.connection_id, due.vendor
      from due join connection_checks k
        on k.organization_id = due.organization_id and k.connection_id = due.connection_id
      where k.check_at <= ${now} and due.nth <= coalesce((
        select left_over from unnest(${[...room.of.keys()]}::text[], ${[...room.of.values()]}::integer[])
          as own (vendor, left_over) where own.vendor = due.vendor), ${room.each}::integer)
      for update of k skip locked
    )
    update connection_checks k set check_at = ${until} from mine
    where k.organization_id = mine.organization_id and k.connection_id = mine.connection_id
    returning k.organization_id, k.connection_id as id, mine.vendor, k.check_at as "claimedUntil"`;

type Check = { readonly organizationId: string; readonly connectionId: string };

/** Unless it is due earlier anyway. */
export async function hastenCheck(
  sql: Queries,
  { organizationId, connectionId }: Check,
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into connection_checks as k (organization_id, connection_id, check_at)
    values (${organizationId}, ${connectionId}, ${at})
    on conflict (organization_id, connection_id) do update
      set check_at = least(k.check_at, excluded.check_at)`;
}

/** Unless it was hastened since it was claimed: the credentials may be others now. */
export async function putOffCheck(
  sql: Queries,
  { organization_id, id, claimedUntil }: Omit<DueCheck, 'vendor'>,
  until: Temporal.Instant,
): Promise<void> {
  await sql`
    update connection_checks set check_at = ${until}
    where organization_id = ${organization_id} and connection_id = ${id}
      and check_at = ${claimedUntil}`;
}
