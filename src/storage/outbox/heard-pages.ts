// Pages that were read out in the call of another page, and answered there.
import type { OutboxKey, ReplyKey } from '../../engine/ledger.ts';
import { isNoticeKind } from '../../incidents/incident.ts';
import { noticeEntry } from '../../incidents/notice-cancellation.ts';
import { transact } from '../database.ts';
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
  readonly incident_id: string | null;
  readonly kind: string;
  readonly channel: string;
  readonly recipient: string | null;
  readonly attempts: number;
};

/** The call counts as an attempt of the page, which is sent no more. One that has ended stays as it is. */
export function recordAnswered(
  parts: LedgerParts,
  { organization_id, key, by, now }: Heard,
): Promise<void> {
  return transact(parts.sql, async (sql) => {
    const [row] = await sql<Row[]>`
      select incident_id, kind, channel, notice->>'recipient' as recipient, attempts from outbox
      where organization_id = ${organization_id} and key = ${key} and state = 'pending' for update`;
    if (row === undefined) return;
    const { incident_id: id, kind, channel, recipient } = row;
    const attempt = row.attempts + 1;
    await sql`
      insert into attempts (organization_id, key, number, claimed_at, finished_at, outcome,
        attempts_claimed, connection_id, vendor_id, receipt, receipt_reason, receipt_at)
      values (${organization_id}, ${key}, ${attempt}, ${now}, ${now}, 'delivered',
        ${attempt}, ${by.connectionId}, ${by.vendorId}, 'acted', '', ${now})`;
    await sql`
      update outbox
      set state = 'sent', attempts = ${attempt}, tried_at = coalesce(tried_at, ${now}),
        reason = null, wake_at = null, finished_at = ${now}
      where organization_id = ${organization_id} and key = ${key}`;
    if (id === null || !isNoticeKind(kind)) return;
    const text = `was answered with a key in a call about another incident by ${by.connectionName}`;
    const ending = { type: 'notice_sent', text, details: { attempt } };
    const entry = noticeEntry({ kind, recipient, channel }, { id }, ending);
    await insertTimeline({ ...parts, sql }, { entries: [{ ...entry, organization_id }], at: now });
  });
}
