// Pages that were read out in the call of another page, and answered there.
import type { ReplyKey } from '../../engine/ports/actions.ts';
import type { OutboxKey } from '../../engine/ports/sending.ts';
import { isNoticeKind, pageKinds } from '../../incidents/incident.ts';
import { noticeEntry } from '../../incidents/notice-cancellation.ts';
import { transact } from '../database/database.ts';
import type { LedgerParts } from '../ledger/context.ts';
import { insertTimeline } from '../ledger/timeline.ts';

type Heard = OutboxKey & {
  /** The call, as its vendor names it. */
  readonly by: Pick<ReplyKey, 'connectionId'> & {
    readonly connectionName: string;
    readonly vendorId: string;
  };
  readonly now: Temporal.Instant;
};

type Row = {
  readonly key: string;
  readonly incident_id: string;
  readonly kind: string;
  readonly channel: string;
  readonly recipient: string | null;
  readonly route: string | null;
  readonly attempts: number;
};

/**
 * The call counts as an attempt of the page, and of what else waits to call the same person about the
 * same incident by this step or one before: none is sent any more. What has ended stays as it is.
 */
export function recordAnswered(
  parts: LedgerParts,
  { organization_id, key, by, now }: Heard,
): Promise<void> {
  return transact(parts.sql, async (sql) => {
    const rows = await sql<Row[]>`
      select o.key, o.incident_id, o.kind, o.channel, o.notice->>'recipient' as recipient,
        o.notice->>'route' as route, o.attempts
      from outbox heard
      join outbox o on o.organization_id = heard.organization_id
        and o.incident_id = heard.incident_id and o.user_id = heard.user_id
        and o.channel = heard.channel and o.cycle = heard.cycle and o.step <= heard.step
        and o.kind = any(${[...pageKinds]})
      where heard.organization_id = ${organization_id} and heard.key = ${key}
        and o.state = 'pending'
      order by o.key for update of o`;
    const entries = [];
    for (const { key: own, incident_id: id, kind, channel, attempts, ...row } of rows) {
      const attempt = attempts + 1;
      await sql`
        insert into attempts (organization_id, key, number, claimed_at, finished_at, outcome,
          attempts_claimed, connection_id, vendor_id, receipt, receipt_reason, receipt_at)
        values (${organization_id}, ${own}, ${attempt}, ${now}, ${now}, 'delivered',
          ${attempt}, ${by.connectionId}, ${by.vendorId}, 'acted', '', ${now})`;
      await sql`
        update outbox
        set state = 'sent', attempts = ${attempt}, tried_at = coalesce(tried_at, ${now}),
          reason = null, wake_at = null, finished_at = ${now}
        where organization_id = ${organization_id} and key = ${own}`;
      if (!isNoticeKind(kind)) continue;
      const text = `was answered with a key in another call by ${by.connectionName}`;
      const ending = { type: 'notice_sent', text, details: { attempt } };
      entries.push({
        ...noticeEntry({ ...row, kind, channel }, { id }, ending),
        organization_id,
      });
    }
    await insertTimeline({ ...parts, sql }, { entries, at: now });
  });
}
