// Admins are notified of a channel connection that fails, by ways that do not lead through it.
import {
  adminNoticeRanks,
  failingBeforeNotice,
  noticeAgainAfter,
} from '../../incidents/admin-notices.ts';
import { configurationIn } from '../../incidents/configuration.ts';
import type { FailingConnection } from '../../notices/kinds/failing-connection.ts';
import { needsMailServer } from '../../resources/channels.ts';
import { channelsOf } from '../../resources/connections/vendors.ts';
import type { ConnectionKey } from '../connections/health.ts';
import { transact } from '../database/database.ts';
import type { LedgerParts } from '../ledger/context.ts';
import { NobodyToNotify, notifyAdmins } from './admins.ts';

type Failing = FailingConnection & {
  readonly vendor: string;
  readonly settings: unknown;
  /** Whether another connection to such a vendor works, as far as is known. */
  readonly has_other: boolean;
};

/**
 * If it has failed for long, and they have not heard of it for a day. Answers whether they are; null: it
 * is not time. False counts as the notice of the day, too: no admin can be reached by other ways.
 */
export async function notifyOfFailingConnection(
  { sql, ...parts }: LedgerParts,
  { organizationId, connectionId }: ConnectionKey,
  now: Temporal.Instant,
): Promise<boolean | null> {
  return transact(sql, async (tx) => {
    const [failing] = await tx<Failing[]>`
      update connection_health h set notified_at = ${now} from channel_connections c
      where h.organization_id = ${organizationId} and h.connection_id = ${connectionId}
        and c.organization_id = h.organization_id and c.id = h.connection_id
        and c.enabled and c.archived_at is null
        and h.failing_since <= ${now.subtract(failingBeforeNotice.connection)}
        and (h.notified_at is null or h.notified_at <= ${now.subtract(noticeAgainAfter)})
      returning c.id, c.name, h.failing_since as since, coalesce(h.reason, '') as reason, c.vendor,
        c.settings, exists (
          select from channel_connections o left join connection_health oh
            on oh.organization_id = o.organization_id and oh.connection_id = o.id
          where o.organization_id = c.organization_id and o.vendor = c.vendor and o.id <> c.id
            and o.enabled and o.archived_at is null and oh.state is distinct from 'failing') as has_other`;
    if (failing === undefined) return null;
    const { vendor, settings, has_other, ...connection } = failing;
    const context = { ...parts, sql: tx };
    const read = await context.configurations.read(tx, [organizationId], now);
    const configuration = configurationIn(read, organizationId);
    const about = `connection/${connectionId}/${now.epochMilliseconds}`;
    const kind = 'connection_failing';
    const rank = adminNoticeRanks.other;
    const notice = { organization_id: organizationId, team_id: 'all', kind, about, rank };
    // Without a mail server that works, a mail about it would wait for what it reports.
    const stopped = has_other ? [] : channelsOf(vendor, settings).filter(needsMailServer);
    const sent = { content: { connection }, failing: new Set<string>(stopped) };
    try {
      await notifyAdmins(context, { ...notice, ...sent }, { configuration, now });
      return true;
    } catch (error) {
      if (error instanceof NobodyToNotify) return false;
      throw error;
    }
  });
}
