// Notices to admins about a built-in channel that fails, by the channels that still work.
import {
  adminNoticeRanks,
  failingBeforeNotice,
  noticeAgainAfter,
} from '../../incidents/admin-notices.ts';
import { configurationIn } from '../../incidents/configuration.ts';
import type { FailingChannel } from '../../notices/kinds/failing-channel.ts';
import { type Transaction, transact } from '../database/database.ts';
import { canaryId } from '../health/canary.ts';
import type { LedgerParts } from '../ledger/context.ts';
import { NobodyToNotify, notifyAdmins } from './admins.ts';

/** In one round; the next one takes the rest. */
const batch = 100;

type Failing = FailingChannel & { readonly organization_id: string };

export type NotifiedOf = Failing & {
  /** False: no admin can be reached by another channel. */
  readonly isNotified: boolean;
};

/**
 * Notifies each organization that a long failure concerns, once a day. The mail server concerns all of
 * them; any other service concerns the organization that sends to it.
 */
export async function notifyOfFailingChannels(
  parts: LedgerParts,
  now: Temporal.Instant,
): Promise<readonly NotifiedOf[]> {
  const all = await parts.sql<Failing[]>`
    select o.id as organization_id, h.channel, h.service, h.failing_since as since,
      coalesce(h.reason, '') as reason
    from channel_health h
    join organizations o on o.id = h.organization_id or h.organization_id is null
    left join channel_notices n on n.organization_id = o.id
      and n.channel = h.channel and n.service = h.service
    where h.failing_since <= ${now.subtract(failingBeforeNotice.channel)}
      and o.id <> ${canaryId}
      and (n.notified_at is null or n.notified_at <= ${now.subtract(noticeAgainAfter)})
    limit ${batch}`;
  const notified: NotifiedOf[] = [];
  for (const failing of all) {
    const isNotified = await notifyOf(parts, failing, now);
    if (isNotified !== null) notified.push({ ...failing, isNotified });
  }
  return notified;
}

/** Null: another server does. */
function notifyOf(
  { sql, ...parts }: LedgerParts,
  { organization_id, ...failing }: Failing,
  now: Temporal.Instant,
): Promise<boolean | null> {
  return transact(sql, async (tx) => {
    const { channel, service } = failing;
    const claimed = await tx`
      insert into channel_notices as n (organization_id, channel, service, notified_at)
      values (${organization_id}, ${channel}, ${service}, ${now})
      on conflict (organization_id, channel, service) do update set notified_at = ${now}
        where n.notified_at <= ${now.subtract(noticeAgainAfter)}`;
    if (claimed.count === 0) return null;
    const context = { ...parts, sql: tx };
    const read = await context.configurations.read(tx, [organization_id], now);
    const configuration = configurationIn(read, organization_id);
    const notice = {
      organization_id,
      team_id: 'all',
      kind: 'channel_failing',
      rank: adminNoticeRanks.other,
      about: `channel/${channel}/${service}/${now.epochMilliseconds}`,
      content: { failing_channel: failing },
      failing: await failingFor(tx, organization_id),
    };
    try {
      await notifyAdmins(context, notice, { configuration, now });
      return true;
    } catch (error) {
      // Counts as the notice of the day, so that the loop does not look for a way every second.
      if (error instanceof NobodyToNotify) return false;
      throw error;
    }
  });
}

async function failingFor(sql: Transaction, organizationId: string): Promise<ReadonlySet<string>> {
  const rows = await sql<{ channel: string }[]>`
    select channel from channel_health
    where failing_since is not null
      and (organization_id = ${organizationId} or organization_id is null)`;
  return new Set(rows.map(({ channel }) => channel));
}
