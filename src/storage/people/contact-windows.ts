// When people last wrote to a connection, for vendors that let Pager write freely only for a time after.
import { sendingLimits } from '../../limits/sending.ts';
import type { Queries } from '../database/database.ts';

type Written = {
  readonly organizationId: string;
  readonly connectionId: string;
  readonly channel: string;
  readonly address: string;
};

/** Nothing is kept of those whose contact it is not. A message that arrives late closes nothing. */
export async function recordWritten(
  sql: Queries,
  { organizationId, connectionId, channel, address }: Written,
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into contact_windows (organization_id, contact_id, connection_id, wrote_at)
    select organization_id, id, ${connectionId}, ${at} from contacts
    where organization_id = ${organizationId} and channel = ${channel} and address = ${address}
    on conflict (organization_id, contact_id, connection_id) do update
      set wrote_at = greatest(contact_windows.wrote_at, excluded.wrote_at)`;
}

/** Whether Pager may still write freely there, and for a moment longer. */
export async function hasOpenWindow(
  sql: Queries,
  { organizationId, connectionId, channel, address }: Written,
  now: Temporal.Instant,
): Promise<boolean> {
  const since = now.subtract({ minutes: sendingLimits.freeTextMinutes });
  const [row] = await sql`
    select from contact_windows w
    join contacts c on c.organization_id = w.organization_id and c.id = w.contact_id
    where c.organization_id = ${organizationId} and c.channel = ${channel}
      and c.address = ${address} and w.connection_id = ${connectionId} and w.wrote_at > ${since}
    limit 1`;
  return row !== undefined;
}
