// The groups of rooms that the app of a connection was added to, as its vendor has reported.
import { sendingLimits } from '../../limits/sending.ts';
import { type Queries, type Sql, transact } from '../database/database.ts';

type OfConnection = { readonly organizationId: string; readonly connectionId: string };

export type ChatTeam = {
  readonly id: string;
  /** Empty: the vendor has not said it. */
  readonly name: string;
  /** Where the vendor takes requests about it. */
  readonly serviceUrl: string;
};

/** What is known already changes nothing, unless `isChanged`; else its rooms are read soon. */
export function addChatTeam(
  sql: Sql,
  { organizationId, connectionId }: OfConnection,
  {
    team,
    isChanged,
    now,
  }: { readonly team: ChatTeam; readonly isChanged: boolean; readonly now: Temporal.Instant },
): Promise<void> {
  return transact(sql, async (tx) => {
    const changed = await tx`
      insert into chat_teams as known
        (organization_id, connection_id, team_id, name, service_url, added_at)
      select ${organizationId}, ${connectionId}, ${team.id}, ${team.name}, ${team.serviceUrl}, ${now}
      where exists (select from chat_teams where organization_id = ${organizationId}
          and connection_id = ${connectionId} and team_id = ${team.id})
        or (select count(*) from chat_teams where organization_id = ${organizationId}
          and connection_id = ${connectionId}) < ${sendingLimits.teamsKnown}
      on conflict (organization_id, connection_id, team_id) do update
        set name = coalesce(nullif(excluded.name, ''), known.name),
          service_url = excluded.service_url
        where ${isChanged}::boolean or known.service_url <> excluded.service_url
          or (excluded.name <> '' and known.name <> excluded.name)
      returning 1`;
    if (changed.length > 0) await readAnew(tx, { organizationId, connectionId }, now);
  });
}

export function removeChatTeam(
  sql: Sql,
  { organizationId, connectionId }: OfConnection,
  { teamId, now }: { readonly teamId: string; readonly now: Temporal.Instant },
): Promise<void> {
  return transact(sql, async (tx) => {
    await tx`
      delete from chat_teams where organization_id = ${organizationId}
        and connection_id = ${connectionId} and team_id = ${teamId}`;
    await readAnew(tx, { organizationId, connectionId }, now);
  });
}

/** From the first page on: rooms were added, renamed or removed. */
async function readAnew(
  sql: Queries,
  { organizationId, connectionId }: OfConnection,
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    update chat_channel_readings set wake_at = ${now}, next_page = null, pages = 0
    where organization_id = ${organizationId} and connection_id = ${connectionId}`;
}

/** In the order in which they were added. */
export const chatTeams = (
  sql: Queries,
  { organizationId, connectionId }: OfConnection,
): Promise<readonly ChatTeam[]> =>
  sql<ChatTeam[]>`
    select team_id as id, name, service_url as "serviceUrl" from chat_teams
    where organization_id = ${organizationId} and connection_id = ${connectionId}
    order by added_at, team_id`;
