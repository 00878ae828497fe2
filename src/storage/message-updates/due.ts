// Which messages may be changed now: in turns, and what somebody has just acted on first.
import { notYet, uncertain } from '../../engine/message-updates/decide-update.ts';
import {
  type EditCandidate,
  type EditRooms,
  shareOutEdits,
} from '../../engine/message-updates/pace.ts';
import type { ClaimedPost, PostClaim } from '../../engine/message-updates/reconcile.ts';
import type { Queries } from '../database/database.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { CLAIM_WINDOW, full } from '../outbox/candidates.ts';

/** Of each organization while more are due, with the most that one claim takes of it among them. */
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
  readonly counted_at: Temporal.Instant | null;
  readonly joined_at: Temporal.Instant | null;
  readonly lease_until: Temporal.Instant;
  readonly tries: number;
};

/** It locks nothing else, for whoever changes an incident has locked that and comes here then. */
export async function claimPosts(
  { sql }: LedgerContext,
  { now, leaseUntil, limit, ...rooms }: PostClaim,
): Promise<readonly ClaimedPost[]> {
  const isDue = sql`p.wake_at <= ${now} and (p.lease_until is null or p.lease_until <= ${now})`;
  const candidates = await readCandidates(sql, { now, rooms, isDue });
  const chosen = shareOutEdits(candidates, rooms);
  if (chosen.length === 0) return [];
  const rows = await sql<PostRow[]>`
    with held as (
      select p.organization_id, p.key, p.number, p.place
      from unnest(${chosen.map((one) => one.organization_id)}::text[],
        ${chosen.map(({ key }) => key)}::text[], ${chosen.map((one) => one.number)}::integer[],
        ${chosen.map(({ place }) => place)}::text[]) with ordinality
        as f (organization_id, key, number, place, nth)
      join posted p on p.organization_id = f.organization_id and p.key = f.key
        and p.number = f.number and p.place = f.place
      where ${isDue}
      order by f.nth limit ${limit} for update of p skip locked
    )
    update posted p
    set lease_until = ${leaseUntil}, tries = p.tries + 1,
      shows = case when p.lease_until is null or p.shows is null or p.shows = ${notYet}
        then p.shows else ${uncertain} end
    from held h
    where p.organization_id = h.organization_id and p.key = h.key and p.number = h.number
      and p.place = h.place
    returning p.organization_id, p.key, p.number, p.connection_id, p.place, p.message_id, p.shows,
      p.changes, p.changed_at, p.commented_at, p.counted_at, p.joined_at,
      p.lease_until, p.tries`;
  return rows.map(({ connection_id, place, message_id, ...row }) => ({
    organization_id: row.organization_id,
    key: row.key,
    number: row.number,
    shows: row.shows,
    changes: row.changes,
    tries: row.tries,
    posted: { connectionId: connection_id, place, messageId: message_id },
    changedAt: row.changed_at,
    commentedAt: row.commented_at,
    countedAt: row.counted_at,
    joinedAt: row.joined_at,
    leaseUntil: row.lease_until,
  }));
}

type Search = {
  readonly now: Temporal.Instant;
  readonly rooms: EditRooms;
  readonly isDue: ReturnType<typeof mayChange>;
};

type CandidateRow = readonly [
  organization: string,
  key: string,
  number: number,
  connection: string | null,
  place: string,
];

/**
 * What somebody has just acted on first. Of each place one, and of all of them a limited number, some of
 * each organization.
 */
async function readCandidates(
  sql: Queries,
  { now, rooms, isDue }: Search,
): Promise<readonly (EditCandidate & Pick<PostRow, 'key' | 'number'>)[]> {
  const may = sql`${isDue} and ${mayChange(sql, rooms)}`;
  const columns = sql`
    p.organization_id, p.key, p.number, p.connection_id, p.place, p.wake_at, p.lease_until, p.shows`;
  const isMany = sql`(select is_many from amount)`;
  const order = sql`shows is not null, wake_at`;
  const [row] = await sql<{ candidates: readonly CandidateRow[] | null }[]>`
    with recursive soon as materialized (
      select ${columns} from posted p where p.wake_at <= ${now}
      order by p.wake_at limit ${CLAIM_WINDOW + 1}
    ), amount as materialized (
      select count(*) > ${CLAIM_WINDOW} as is_many from soon
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
        order by p.wake_at limit ${CLAIM_WINDOW})
      union
      select own.* from organizations o cross join lateral (
        select ${columns} from posted p where p.organization_id = o.organization_id and ${may}
        order by p.wake_at limit ${OF_ORGANIZATION}) own
    ), of_places as (
      select distinct on (organization_id, connection_id, place) * from due
      order by organization_id, connection_id, place, ${order}
    ), turns as (
      select *, row_number() over (partition by organization_id, connection_id
        order by ${order}) as turn
      from of_places
    ), first_turns as (
      select * from turns order by turn, ${order} limit ${CLAIM_WINDOW}
    )
    select json_agg(json_build_array(organization_id, key, number, connection_id, place)
      order by ${order}) as candidates
    from first_turns`;
  return (row?.candidates ?? []).map(([organization_id, key, number, connectionId, place]) => ({
    organization_id,
    key,
    number,
    connectionId,
    place,
  }));
}
