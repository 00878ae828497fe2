// Which incident a message was about that Pager has sent, as its vendor names it.
import type { PostedMessage } from '../../engine/sending/channel.ts';
import type { Queries } from '../database/database.ts';
import { incidentOfPosted } from '../message-updates/posted-messages.ts';

type Message = PostedMessage & { readonly organizationId: string; readonly channel: string };

/**
 * Null: it is not known, not any more, or is about no incident. A message to a person may be known only by
 * its attempt; also by a receipt of it that came before the vendor's answer was recorded.
 */
export async function incidentOfMessage(
  sql: Queries,
  { organizationId, channel, ...message }: Message,
): Promise<string | null> {
  const posted = await incidentOfPosted(sql, organizationId, message);
  if (posted !== null) return posted;
  const [row] = await sql<{ incident_id: string | null }[]>`
    select o.incident_id from attempts a
    join outbox o on o.organization_id = a.organization_id and o.key = a.key
    where a.vendor_id = ${message.messageId} and a.organization_id = ${organizationId}
      and a.connection_id = ${message.connectionId}
      and o.channel = ${channel} and o.user_id is not null
    order by a.claimed_at desc limit 1`;
  return row?.incident_id ?? null;
}
