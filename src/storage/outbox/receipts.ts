// What vendors report about attempts that they took.
import type {
  ArrivedPage,
  AttemptKey,
  AttemptResult,
  OutboxKey,
  Report,
} from '../../engine/ports/sending.ts';
import {
  confirms,
  entryTypeOf,
  isCalledAgain,
  isFinal,
  isOfAnother,
  type ReceiptResult,
  type ReportedAttempt,
  receiptResult,
  resultOf,
} from '../../engine/sending/receipt.ts';
import { addressOf, contactOf, type TriedContact } from '../../engine/sending/retry-routes.ts';
import { type Incident, isNoticeKind } from '../../incidents/incident.ts';
import { noticeEntry } from '../../incidents/notice-cancellation.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { countCall } from '../connections/usage.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { lockIncidents } from '../ledger/incidents.ts';
import { insertTimeline } from '../ledger/timeline.ts';
import { forgetEndedCalls } from '../message-updates/posted-messages.ts';
import { noteArrival } from '../people/lost-contacts.ts';
import { attemptsElsewhere, type ReceiptRow, receiptOf } from './handed-over.ts';
import { lockTelephones, querySoon, wakeCalls } from './telephone.ts';

type AttemptRow = ReceiptRow & {
  readonly number: number;
  readonly outcome: string | null;
  readonly finished_at: Temporal.Instant | null;
  readonly vendor_id: string | null;
};

/** Returns whether the notice waits for something else now. */
export async function recordReceipt(
  context: LedgerContext,
  report: Report,
  now: Temporal.Instant,
  arrived: Arrived = () => {},
): Promise<boolean> {
  const isDue = await settleReceipt(context, report, { now, arrived });
  const { call, organization_id: organizationId, key, attempt } = report;
  const { connectionId } = report.reportedBy;
  // Whatever the receipt changes: a call ends after its key was pressed.
  if (call)
    await countCall(context.sql, { ...call, organizationId, connectionId, key, attempt }, now);
  return isDue;
}

type Arrived = (page: ArrivedPage) => void;
type Settled = { readonly now: Temporal.Instant; readonly arrived: Arrived };

async function settleReceipt(
  context: LedgerContext,
  { reportedBy: { connectionId, connectionName, vendorId }, receipt, ...key }: Report,
  { now, arrived }: Settled,
): Promise<boolean> {
  const { sql } = context;
  const reported = await lockReported(context, key);
  if (reported === null) return false;
  const { row, vendorId: known } = reported;
  const isOther = isOfAnother({ ...reported.attempt, vendorId: known }, { vendorId, receipt });
  const attempt = { ...reported.attempt, connectionName };
  const result = isOther ? null : receiptResult(attempt, receipt, now);
  if (result === null) return false;
  if (isFinal(receipt)) await lockTelephones(context, [row]);
  for (const incident of await lockArrived(context, reported, result))
    arrived({ incident, step: row.step });
  await sql`
    update attempts
    set connection_id = ${connectionId}, vendor_id = coalesce(vendor_id, ${vendorId}),
      receipt = ${receipt.state}, receipt_reason = ${receipt.reason},
      receipt_blame = ${receipt.blame}, receipt_at = ${now}
    where organization_id = ${row.organization_id} and key = ${row.key} and number = ${key.attempt}`;
  if (confirms(receipt)) {
    await sql`
      update attempts
      set outcome = 'delivered', finished_at = coalesce(finished_at, ${now}),
        attempts_claimed = ${row.attempts}
      where organization_id = ${row.organization_id} and key = ${row.key}
        and number = ${key.attempt}`;
    const { organization_id: organizationId, channel, tried, address } = row;
    const there = addressOf(key.attempt, tried ?? [], address);
    await noteArrival(sql, { ids: context.ids, now, organizationId, channel, address: there });
  }
  // Somebody who has pressed a key is still on the telephone.
  const seconds = receipt.state === 'acted' ? sendingLimits.pressedCall : 0;
  const due = isFinal(receipt) ? await wakeCalls(context, [row], now.add({ seconds })) : 0;
  await settle(context, { ...reported, result, now });
  if (isFinal(receipt)) await forgetEndedCalls(context, [row]);
  if (receipt.state === 'answered') await querySoon(context, [row], now);
  return result.notice !== null || due > 0;
}

/**
 * Receipts of these attempts that came before what the channel answered was recorded. Their telephones
 * are locked.
 */
export async function settleEarlyReceipts(
  context: LedgerContext,
  attempts: readonly Pick<AttemptResult, 'claimed' | 'reportedBy'>[],
  now: Temporal.Instant,
): Promise<void> {
  for (const { claimed: key, reportedBy } of attempts) {
    const reported = await lockReported(context, key);
    const { receipt } = reported?.attempt ?? { receipt: null };
    if (!reported || receipt === null) continue;
    const { connectionName } = reportedBy ?? {};
    const attempt = { ...reported.attempt, connectionName, handedOverAt: null };
    const result = resultOf(attempt, receipt, now);
    if (!attempt.isHandedOver && !result.isTaken) continue;
    if (isFinal(receipt)) await wakeCalls(context, [reported.row], now);
    await settle(context, { ...reported, result, now });
    if (receipt.state === 'answered') await querySoon(context, [reported.row], now);
  }
}

/** The incident of a page of which it was not known that a vendor took it. */
async function lockArrived(
  context: LedgerContext,
  { row, isTaken: isKnown }: Reported,
  { notice, isTaken }: ReceiptResult,
): Promise<readonly Incident[]> {
  const { organization_id: organizationId, incident_id: id, kind } = row;
  const isNews = (notice?.state === 'sent' || isTaken === true) && !isKnown;
  if (id === null || kind !== 'page' || !isNews) return [];
  return lockIncidents(context, { organizationId, ids: [id] });
}

/** What of the notice is needed here: whatever else of it cannot be read, its receipts count. */
type NoticeRow = OutboxKey & {
  readonly incident_id: string | null;
  readonly kind: string;
  readonly channel: string;
  readonly recipient_key: string;
  readonly recipient: string | null;
  readonly route: string | null;
  readonly step: number;
  readonly state: string;
  readonly attempts: number;
  readonly elsewhere: number;
  readonly address: string;
  readonly tried: readonly TriedContact[] | null;
};

type Reported = {
  readonly row: NoticeRow;
  readonly number: number;
  /** What the vendor that took it calls it; null: nothing is known. */
  readonly vendorId: string | null;
  /** A vendor took the notice, by the last of its attempts that has ended. */
  readonly isTaken: boolean;
  readonly attempt: ReportedAttempt;
};

async function lockReported(
  { sql }: LedgerContext,
  { organization_id, key, attempt: number }: AttemptKey,
): Promise<Reported | null> {
  const [row] = await sql<NoticeRow[]>`
    select organization_id, key, incident_id, kind, channel, recipient_key,
      notice->>'recipient' as recipient, notice->>'route' as route, step, state, attempts, ${attemptsElsewhere(sql)} as elsewhere,
      notice->>'address' as address, notice->'tried' as tried
    from outbox o where organization_id = ${organization_id} and key = ${key} for update`;
  if (row === undefined) return null;
  const attempts = await sql<AttemptRow[]>`
    select number, outcome, finished_at, vendor_id, receipt, receipt_reason, receipt_blame from attempts
    where organization_id = ${organization_id} and key = ${key} order by number`;
  const own = attempts.find((one) => one.number === number);
  if (own === undefined) return null;
  const lastEnded = attempts.findLast(({ finished_at }) => finished_at !== null);
  return {
    row,
    number,
    vendorId: own.vendor_id,
    isTaken: lastEnded?.outcome === 'handed_over',
    attempt: {
      isPending: row.state === 'pending',
      isLast: row.attempts === number,
      isHandedOver: own.outcome === 'handed_over',
      isUnanswered: own.outcome === 'retry',
      isAccepted: row.state === 'sent' && isAccepted(own),
      handedOverAt: own.outcome === 'handed_over' || isAccepted(own) ? own.finished_at : null,
      receipt: receiptOf(own),
      // No way on which a page has several contacts has sealed addresses.
      contact: contactOf(number, row.tried ?? [], row.address),
      callsBefore: attempts.filter(
        (one) => one.number > row.elsewhere && one.number < number && isCalledAgain(receiptOf(one)),
      ).length,
    },
  };
}

/** No vendor reports on it, unless it fails. */
const isAccepted = ({ outcome, vendor_id, receipt }: AttemptRow): boolean =>
  outcome === 'delivered' && vendor_id === null && receipt === null;

type Settling = Reported & { readonly result: ReceiptResult; readonly now: Temporal.Instant };

async function settle(
  context: LedgerContext,
  { row, number, result, now }: Settling,
): Promise<void> {
  const { sql } = context;
  const { notice, text, isTaken, isReturned } = result;
  const { organization_id, key } = row;
  if (isTaken)
    await sql`
      update attempts set outcome = 'handed_over', reason = null, finished_at = ${now}
      where organization_id = ${organization_id} and key = ${key} and number = ${number}`;
  if (isReturned)
    await sql`
      update attempts set outcome = 'handed_over'
      where organization_id = ${organization_id} and key = ${key} and number = ${number}`;
  if (notice !== null)
    await sql`
      update outbox
      set state = ${notice.state}, tried_at = coalesce(tried_at, ${now}), reason = null,
        wake_at = ${notice.state === 'pending' ? notice.wakeAt : null},
        finished_at = ${notice.state === 'pending' ? null : now}
      where organization_id = ${organization_id} and key = ${key}`;
  if (text === null) return;
  const { incident_id: id, kind, recipient, route, channel } = row;
  if (id === null || !isNoticeKind(kind)) return;
  const type = entryTypeOf(result);
  const ending = { type, text, details: { attempt: number } };
  const entry = noticeEntry({ kind, recipient, route, channel }, { id }, ending);
  await insertTimeline(context, { entries: [{ ...entry, organization_id }], at: now });
}
