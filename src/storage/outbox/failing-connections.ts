// Admins are notified of a channel connection that fails, by ways that do not lead through it.
import {
  adminNoticeRanks,
  failingBeforeNotice,
  noticeAgainAfter,
} from '../../incidents/admin-notices.ts';
import { configurationIn } from '../../incidents/configuration.ts';
import type { FailingConnection } from '../../notices/kinds/failing-connection.ts';
import type { ConnectionKey } from '../connections/health.ts';
import { transact } from '../database/database.ts';
import type { LedgerParts } from '../ledger/context.ts';
import { notifyAdmins } from './admins.ts';

/** If it has failed for long, and they have not heard of it for a day. Answers whether they are. */
export async function notifyOfFailingConnection(
  { sql, ...parts }: LedgerParts,
  { organizationId, connectionId }: ConnectionKey,
  now: Temporal.Instant,
): Promise<boolean> {
  return transact(sql, async (tx) => {
    const [connection] = await tx<FailingConnection[]>`
      update connection_health h set notified_at = ${now} from channel_connections c
      where h.organization_id = ${organizationId} and h.connection_id = ${connectionId}
        and c.organization_id = h.organization_id and c.id = h.connection_id
        and c.enabled and c.archived_at is null
        and h.failing_since <= ${now.subtract(failingBeforeNotice.connection)}
        and (h.notified_at is null or h.notified_at <= ${now.subtract(noticeAgainAfter)})
      returning c.id, c.name, h.failing_since as since, coalesce(h.reason, '') as reason`;
    if (connection === undefined) return false;
    const context = { ...parts, sql: tx };
    const read = await context.configurations.read(tx, [organizationId], now);
    const configuration = configurationIn(read, organizationId);
    const about = `connection/${connectionId}/${now.epochMilliseconds}`;
    const kind = 'connection_failing';
    const rank = adminNoticeRanks.other;
    const notice = { organization_id: organizationId, team_id: 'all', kind, about, rank };
    await notifyAdmins(context, { ...notice, content: { connection } }, { configuration, now });
    return true;
  });
}
