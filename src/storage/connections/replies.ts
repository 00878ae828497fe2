// What people did at vendors, which may deliver it more than once.
import type { ActedReply, ReplyKey } from '../../engine/ledger.ts';
import { sendingLimits } from '../../limits/sending.ts';
import type { Queries } from '../database.ts';

/** The incident that it has acted on; null: it has not. */
export async function actedOn(sql: Queries, reply: ReplyKey): Promise<string | null> {
  const [row] = await sql<{ incident_id: string }[]>`
    select incident_id from replies
    where organization_id = ${reply.organizationId} and connection_id = ${reply.connectionId}
      and event_id = ${reply.eventId}`;
  return row?.incident_id ?? null;
}

/** In the commit of what it did. It throws if it has acted before. */
export async function recordActed(
  sql: Queries,
  { organizationId, connectionId, eventId, incidentId }: ActedReply,
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into replies (organization_id, connection_id, event_id, incident_id, acted_at)
    values (${organizationId}, ${connectionId}, ${eventId}, ${incidentId}, ${now})`;
}

const removedAtOnce = 1_000;

/** Vendors do not deliver them any more. */
export async function removeReplies(sql: Queries, now: Temporal.Instant): Promise<number> {
  const before = now.subtract({ hours: 24 * sendingLimits.repliesDays });
  const removed = await sql`
    delete from replies where (organization_id, connection_id, event_id) in (
      select organization_id, connection_id, event_id from replies
      where acted_at < ${before} order by acted_at limit ${removedAtOnce})`;
  return removed.count;
}
