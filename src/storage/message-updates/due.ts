// Which messages may be changed now: in turns, and what somebody has just acted on first.

import { notYet, uncertain } from '../../engine/message-updates/decide-update.ts';
import type { EditRooms } from '../../engine/message-updates/pace.ts';
import type { ClaimedPost, PostClaim } from '../../engine/message-updates/reconcile.ts';
import type { Queries } from '../database.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { full, isWithin } from '../rooms.ts';

/** While no more than these are due, all of them are looked at; else some of each organisation. */
const WINDOW = 256;

/** Of each organisation then, with the most that one claim takes of it among them. */
const OF_ORGANIZATION = 32;

/** Of what somebody has just acted on it is not known what it shows. */
export function mayChange(sql: Queries, { busy, paused, connections, organizations }: EditRooms) {
  const isIn = (places: readonly string[]) =>
    sql`(coalesce(p.connection_id, 'null') || ' ' || p.place) = any(${[...places]})`;
  return sql`
    not ${isIn(busy)} and (p.shows is null or not ${isIn(paused)})
    and not coalesce(p.connection_id, '') = any(${[...connections]})
    and not p.organization_id = ${full(sql, organizations)}`;
}

type PostRow = {
  readonly organization_id: string;
  readonly key: string;
  readonly number: number;
  readonly connection_id: string | null;
  readonly place: string;
  readonly message_id: string;
  readonly shows: string | null;
  readonly changes: number;
  readonly changed_at: Temporal.Instant;
  readonly commented_at: Temporal.Instant | null;
  readonly lease_until: Temporal.Instant;
  readonly tries: number;
};

/**
 * It locks nothing else, for whoever changes an incident has locked that and comes here then. Of each
 * place one, of each connection one, and the organisations by turns.
 */
export async function claimPosts(
  { sql }: LedgerContext,
  { now, leaseUntil, limit, ...rooms }: PostClaim,
): Promise<readonly ClaimedPost[]> {
  const isDue = sql`p.wake_at <= ${now} and (p.lease_until is null or p.lease_until <= ${now})`;
  const may = sql`${isDue} and ${mayChange(sql, rooms)}`;
  const columns = sql`
    p.organization_id, p.key, p.number, p.connection_id, p.place, p.wake_at, p.lease_until, p.shows`;
  const isMany = sql`(select is_many from amount)`;
  // What somebody has just acted on first.
  const order = sql`shows is not null, wake_at`;
  const rows = await sql<PostRow[]>`
    with recursive soon as materialized (
      select ${columns} from posted p where p.wake_at <= ${now}
      order by p.wake_at limit ${WINDOW + 1}
    ), amount as materialized (
      select count(*) > ${WINDOW} as is_many from soon
    ), organizations as (
      (select p.organization_id from posted p where ${isMany} order by p.organization_id limit 1)
      union all
      select (select p.organization_id from posted p
        where p.organization_id > o.organization_id order by p.organization_id limit 1)
      from organizations o where o.organization_id is not null
    ), due as (
      select ${columns} from soon p where not ${isMany} and ${may}
      union
      (select ${columns} from posted p where p.shows is null and ${may}
        order by p.wake_at limit ${WINDOW})
      union
      select own.* from organizations o cross join lateral (
        select ${columns} from posted p where p.organization_id = o.organization_id and ${may}
        order by p.wake_at limit ${OF_ORGANIZATION}) own
    ), of_places as (
      select distinct on (organization_id, connection_id, place) * from due
      order by organization_id, connection_id, place, ${order}
    ), of_connections as (
      select *, row_number() over (partition by connection_id order by ${order}) as nth_of_connection
      from of_places
    ), of_organizations as (
      select *, row_number() over (partition by organization_id order by ${order}) as nth
      from of_connections where connection_id is null or nth_of_connection = 1
    ), held as (
      select p.organization_id, p.key, p.number, p.place from of_organizations f
      join posted p on p.organization_id = f.organization_id and p.key = f.key
        and p.number = f.number and p.place = f.place
      where ${isWithin(sql, 'nth', 'f.organization_id', rooms.organizations)} and ${isDue}
      order by f.nth, f.wake_at limit ${limit} for update of p skip locked
    )
    update posted p
    set lease_until = ${leaseUntil}, tries = p.tries + 1,
      shows = case when p.lease_until is null or p.shows is null or p.shows = ${notYet}
        then p.shows else ${uncertain} end
    from held h
    where p.organization_id = h.organization_id and p.key = h.key and p.number = h.number
      and p.place = h.place
    returning p.organization_id, p.key, p.number, p.connection_id, p.place, p.message_id, p.shows,
      p.changes, p.changed_at, p.commented_at, p.lease_until, p.tries`;
  return rows.map(
    ({ connection_id, place, message_id, changed_at, commented_at, lease_until, ...row }) => ({
      ...row,
      posted: { connectionId: connection_id, place, messageId: message_id },
      changedAt: changed_at,
      commentedAt: commented_at,
      leaseUntil: lease_until,
    }),
  );
}
