// What became of attempts, and what vendors report of them.
import type { ArrivedPage, AttemptKey, AttemptResult, Report } from '../../engine/ports/sending.ts';
import type { ReportedBy } from '../../engine/sending/channel.ts';
import {
  confirms,
  entryTypeOf,
  isCalledAgain,
  isOfAnother,
  type ReceiptResult,
  type ReportedAttempt,
  receiptResult,
  resultOf,
} from '../../engine/sending/receipt.ts';
import { attemptsElsewhere, contactOf } from '../../engine/sending/retry-routes.ts';
import { type Incident, isPage } from '../../incidents/incident.ts';
import { neverPaged, noticeEntry } from '../../incidents/notice-cancellation.ts';
import type { NoticeRow, Outbox, ReportedRow } from './outbox.ts';
import { recordPosted } from './posted-messages.ts';
import { isWithVendor } from './round-pages.ts';

/** A confirmation stands whoever brings it; a failure only while nobody tried again since. */
export function finishIn(ledger: Outbox, attempts: readonly AttemptResult[]): readonly Incident[] {
  const touched = new Set<string>();
  const handedOver: (() => void)[] = [];
  for (const attempt of attempts) {
    const { claimed, state, reason, wakeAt, entry, finishedAt, reportedBy, isUncertain } = attempt;
    const row = ledger.outbox.get(claimed.key);
    if (!row) continue;
    const isNew = !row.ended?.includes(claimed.attempt);
    if (isNew && isClaimedUnder(row, attempt)) {
      const attempts = claimed.attempt - 1;
      ledger.put(ledger.outbox, claimed.key, { ...row, attempts, reason, wakeAt });
      if (attempts === 0) cancelAllClear(ledger, row);
      continue;
    }
    if (isUncertain) continue;
    if (isNew && 'incident_id' in row.intent) recordPosted(ledger, attempt, row.intent.incident_id);
    const counts =
      row.state === 'pending' && (state === 'sent' || row.attempts === claimed.attempt);
    const ended = endedWith(row, claimed.attempt, isNew ? finishedAt : null);
    const change = { ...ended, ...(counts && { state, reason, wakeAt, isTried: true }) };
    const next = counts ? atNextAddress(ledger, row, attempt) : row;
    ledger.put(ledger.outbox, claimed.key, { ...next, ...change });
    if (reportedBy && isNew)
      handedOver.push(() => handOver(ledger, claimed, reportedBy, finishedAt));
    else if (isNew && state === 'pending')
      handedOver.push(() => takeUnanswered(ledger, claimed, finishedAt));
    if (isNew && claimed.about === 'incident' && claimed.kind === 'page')
      touched.add(claimed.incident.id);
    if (!entry || !isNew) continue;
    ledger.addEntries([{ ...entry, organization_id: claimed.organization_id }], finishedAt);
    if (state === 'failed') touched.add(entry.incident_id);
  }
  // What was reported before comes after the entries of the attempts themselves.
  for (const record of handedOver) record();
  const incidents = [...touched].flatMap((id) => ledger.incidents.get(id) ?? []);
  return incidents.toSorted((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1));
}

/** `at`: null if it is known already. */
function endedWith(
  { ended = [], lastEnded }: NoticeRow,
  attempt: number,
  at: Temporal.Instant | null,
): Pick<NoticeRow, 'ended' | 'lastEnded'> {
  const isLast = at !== null && attempt >= (lastEnded?.attempt ?? 0);
  return { ended: [...ended, attempt], ...(isLast && { lastEnded: { attempt, at } }) };
}

/** Nothing was requested under it, and it is the last. */
function isClaimedUnder(
  { state, attempts, wakeAt, reported }: NoticeRow,
  { claimed: { attempt }, withheldUnder }: AttemptResult,
): boolean {
  if (withheldUnder === undefined || state !== 'pending' || reported?.has(attempt)) return false;
  return attempts === attempt && wakeAt?.equals(withheldUnder) === true;
}

/** Of a page, to whom none was ever sent: the incident ended while the last waited for its turn. */
function cancelAllClear(ledger: Outbox, { intent, recipientKey }: NoticeRow): void {
  if (!('incident_id' in intent) || !isPage(intent)) return;
  const own = ledger.outbox
    .inGroup(intent.incident_id)
    .filter((row) => row.recipientKey === recipientKey);
  const isSent = own.some(
    (row) => isPage(row.intent) && (row.state === 'sent' || row.attempts > 0),
  );
  const merged = ledger.incidents.inGroup(intent.incident_id);
  if (isSent || merged.length > 0) return;
  for (const row of own)
    if (row.intent.kind === 'all_clear' && row.state === 'pending')
      ledger.put(ledger.outbox, row.intent.key, {
        ...row,
        state: 'cancelled',
        reason: neverPaged,
        wakeAt: null,
      });
}

/** With the contact at which the page goes on, if it does, or the answers that were lost here. */
function atNextAddress(
  ledger: Outbox,
  row: NoticeRow,
  { nextAddress: address, tried = [], lostAnswers }: AttemptResult,
): NoticeRow {
  if (address === undefined) return lostAnswers === undefined ? row : { ...row, lostAnswers };
  const intent = { ...row.intent, address };
  const { lostAnswers: _elsewhere, ...others } = row;
  return { ...others, intent, tried, recipientKey: ledger.recipientKeyOf(intent) };
}

/** Of a receipt that came before, what follows is done now. */
function handOver(
  ledger: Outbox,
  { key, attempt }: AttemptKey,
  { connectionName, ...handedOver }: ReportedBy,
  now: Temporal.Instant,
): void {
  const row = ledger.outbox.get(key);
  if (!row) return;
  const receipt = row.reported?.get(attempt)?.receipt ?? null;
  const own = { ...handedOver, receipt, isHandedOver: true, handedOverAt: now };
  const reported = new Map(row.reported).set(attempt, own);
  ledger.put(ledger.outbox, key, { ...row, reported });
  if (receipt === null) return;
  const early = { ...attemptIn(row, attempt, own), connectionName, handedOverAt: null };
  settle(ledger, { key, attempt }, resultOf(early, receipt, now), now);
}

/** One that a vendor has reported of already, although its answer was lost. */
function takeUnanswered(ledger: Outbox, { key, attempt }: AttemptKey, now: Temporal.Instant): void {
  const row = ledger.outbox.get(key);
  const own = row?.reported?.get(attempt);
  if (!row || !own?.receipt) return;
  const result = resultOf(attemptIn(row, attempt, own), own.receipt, now);
  if (!result.isTaken) return;
  const taken = { ...own, isHandedOver: true, handedOverAt: now };
  const reported = new Map(row.reported).set(attempt, taken);
  ledger.put(ledger.outbox, key, { ...row, reported });
  settle(ledger, { key, attempt }, result, now);
}

type Numbered = Pick<AttemptKey, 'key' | 'attempt'>;

function attemptIn(row: NoticeRow, number: number, own: ReportedRow | undefined): ReportedAttempt {
  const elsewhere = attemptsElsewhere(row.tried ?? []);
  const { address } = row.intent;
  const before = [...(row.reported ?? [])].filter(
    ([each, { receipt }]) => each > elsewhere && each < number && isCalledAgain(receipt),
  );
  // No vendor reports on it, unless it fails.
  const isAccepted =
    own === undefined && row.lastEnded?.attempt === number && row.state !== 'failed';
  return {
    isPending: row.state === 'pending',
    isLast: row.attempts === number,
    isHandedOver: own?.isHandedOver ?? false,
    receipt: own?.receipt ?? null,
    isAccepted: isAccepted && row.state === 'sent',
    isUnanswered: row.ended?.includes(number) === true && own?.isHandedOver !== true,
    handedOverAt: own?.handedOverAt ?? (isAccepted ? (row.lastEnded?.at ?? null) : null),
    contact: typeof address === 'string' ? contactOf(number, row.tried ?? [], address) : null,
    callsBefore: before.length,
  };
}

type Receiving = {
  readonly now: Temporal.Instant;
  readonly arrived?: ((page: ArrivedPage) => void) | undefined;
};

export function recordReceiptIn(
  ledger: Outbox,
  report: Report,
  { now, arrived }: Receiving,
): boolean {
  const { key, attempt, receipt } = report;
  const { connectionName, ...reportedBy } = report.reportedBy;
  const row = ledger.outbox.get(key);
  if (!row || attempt > row.attempts) return false;
  const before = row.reported?.get(attempt);
  if (before && isOfAnother(before, { ...reportedBy, receipt })) return false;
  const known = { ...attemptIn(row, attempt, before), connectionName };
  const result = receiptResult(known, receipt, now);
  if (result === null) return false;
  const own = {
    isHandedOver: false,
    handedOverAt: null,
    ...reportedBy,
    ...before,
    receipt,
    ...(result.isTaken && { isHandedOver: true, handedOverAt: now }),
    ...(result.isReturned && { isHandedOver: true, handedOverAt: known.handedOverAt }),
  };
  const reported = new Map(row.reported).set(attempt, own);
  const isKnown = row.ended?.includes(attempt) ?? false;
  const ended = confirms(receipt) ? endedWith(row, attempt, isKnown ? null : now) : {};
  ledger.put(ledger.outbox, key, { ...row, ...ended, reported });
  const { intent } = row;
  const isNews = result.notice?.state === 'sent' || result.isTaken;
  if (isNews && !isWithVendor(row))
    if ('step' in intent && intent.kind === 'page') {
      const incident = ledger.incidents.get(intent.incident_id);
      if (incident) arrived?.({ incident, step: intent.step });
    }
  settle(ledger, { key, attempt }, result, now);
  return result.notice !== null;
}

function settle(
  ledger: Outbox,
  { key, attempt }: Numbered,
  result: ReceiptResult,
  now: Temporal.Instant,
): void {
  const { notice, text } = result;
  const row = ledger.outbox.get(key);
  if (!row) return;
  const wakeAt = notice?.state === 'pending' ? notice.wakeAt : null;
  if (notice)
    ledger.put(ledger.outbox, key, {
      ...row,
      state: notice.state,
      wakeAt,
      reason: null,
      isTried: true,
    });
  const { intent } = row;
  if (text === null || !('step' in intent) || intent.kind === 'webhook') return;
  const { kind, recipient, route, channel, incident_id: id, organization_id } = intent;
  const type = entryTypeOf(result);
  const ending = { type, text, details: { attempt } };
  const entry = noticeEntry({ kind, recipient, route, channel }, { id }, ending);
  ledger.addEntries([{ ...entry, organization_id }], now);
}

/** Each organisation's together, by their ids. */
const sortKeyOf = ({ organization_id, id }: Incident) => `${organization_id} ${id}`;
