// What people did at vendors, which may deliver it more than once.
import type { Acted, ActedReply, ReplyKey } from '../../engine/ports/actions.ts';
import { sendingLimits } from '../../limits/sending.ts';
import type { Queries } from '../database/database.ts';

const ofConnection = (sql: Queries, id: string | null) =>
  id === null ? sql`connection_id is null` : sql`connection_id = ${id}`;

/** What came of it; null: it was not done to an incident. */
export async function actedBefore(sql: Queries, reply: ReplyKey): Promise<Acted | null> {
  const [row] = await sql<Acted[]>`
    select incident_id as "incidentId", unchanged from replies
    where organization_id = ${reply.organizationId}
      and ${ofConnection(sql, reply.connectionId)} and event_id = ${reply.eventId} and incident_id is not null`;
  return row ?? null;
}

/** In the commit of what it did. It throws if it has acted before. */
export async function recordActed(
  sql: Queries,
  { organizationId, connectionId, eventId, incidentId, unchanged }: ActedReply,
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into replies (organization_id, connection_id, event_id, incident_id, unchanged, acted_at)
    values (${organizationId}, ${connectionId}, ${eventId}, ${incidentId}, ${unchanged}, ${now})`;
}

type Begun = Pick<ReplyKey, 'organizationId' | 'connectionId'> & { readonly start: string };

/** The incidents on which events have acted whose id begins so; the rest of it sorts before `~`. */
export async function actedOnBy(
  sql: Queries,
  { organizationId, connectionId, start }: Begun,
): Promise<readonly string[]> {
  const rows = await sql<{ incident_id: string }[]>`
    select distinct incident_id from replies
    where organization_id = ${organizationId} and ${ofConnection(sql, connectionId)}
      and event_id >= ${start} and event_id < ${`${start}~`} and incident_id is not null`;
  return rows.map(({ incident_id }) => incident_id);
}

type Listed = Pick<ReplyKey, 'organizationId' | 'connectionId'> & {
  readonly eventIds: readonly string[];
};

/** Those of them that were read before. */
export async function readBefore(
  sql: Queries,
  { organizationId, connectionId, eventIds }: Listed,
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ event_id: string }[]>`
    select event_id from replies
    where organization_id = ${organizationId} and ${ofConnection(sql, connectionId)}
      and event_id = any(${[...eventIds]})`;
  return new Set(rows.map(({ event_id }) => event_id));
}

/** What came of it is done, whether or not it has acted. */
export async function recordRead(
  sql: Queries,
  { organizationId, connectionId, eventId }: ReplyKey,
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into replies (organization_id, connection_id, event_id, acted_at)
    values (${organizationId}, ${connectionId}, ${eventId}, ${now})
    on conflict (organization_id, connection_id, event_id) do nothing`;
}

const removedAtOnce = 1_000;

/** Vendors do not deliver them any more. */
export async function removeReplies(sql: Queries, now: Temporal.Instant): Promise<number> {
  const before = now.subtract({ hours: 24 * sendingLimits.repliesDays });
  const removed = await sql`
    delete from replies where ctid = any(array(
      select ctid from replies
      where acted_at < ${before} order by acted_at limit ${removedAtOnce}))`;
  return removed.count;
}
