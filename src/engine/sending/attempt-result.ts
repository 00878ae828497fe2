import { type Entry, isPage } from '../../incidents/incident.ts';
import { callEntry, type Ending, noticeEntry } from '../../incidents/notice-cancellation.ts';
import { stepMinutesOf } from '../../notices/kinds/incident.ts';
import { maskedAddress, withMaskedAddresses } from '../../resources/masked-address.ts';
import { notYet, shownFirst } from '../message-updates/decide-update.ts';
import type { AttemptResult } from '../ports/sending.ts';
import { backoffSeconds, retryAt, secondsAfterLost } from './backoff.ts';
import { isTaken, type ReportedDelivery, type SentMessage } from './channel.ts';
import type { Claimed } from './claimed.ts';
import { attemptsElsewhere, reasonOfAll, type TriedContact } from './retry-routes.ts';

/** The timeline has the first retries at a contact; later ones are in the list of attempts only. */
const retriesOnTimeline = 3;

type SendContext = {
  readonly now: Temporal.Instant;
  readonly random: () => number;
  /** Of the claim. */
  readonly leaseUntil?: Temporal.Instant;
};

/** What a delivery means for the notice: it is sent, has failed for good, or is tried again. */
export function attemptResult(
  claimed: Claimed,
  reported: ReportedDelivery,
  { now, random, leaseUntil }: SendContext,
): AttemptResult {
  const delivery = withMaskedContact(claimed, reported);
  const answer = delivery.answer === undefined ? null : storable(delivery.answer);
  const status = delivery.status ?? null;
  const entryOf = (type: string, text: string) =>
    endingEntry(claimed, { type, text, details: detailsOf(claimed, { status, answer }) });
  const counted = isTaken(delivery) ? delivery.counted : undefined;
  const blame = 'blame' in delivery ? delivery.blame : undefined;
  const lostAnswers = lostAnswersOf(claimed, delivery);
  const base = {
    claimed,
    finishedAt: now,
    answer,
    status,
    reason: null,
    wakeAt: null,
    ...(counted && { counted }),
    ...(blame && { blame }),
    ...(lostAnswers && { lostAnswers }),
  };
  const unconfirmed = (own: string, wasTaken: boolean): AttemptResult => {
    const { reason, tried } = endOf(claimed, own, wasTaken);
    const text = `was sent, but nothing confirms that it arrived: ${reason}`;
    const entry = entryOf('notice_sent', text);
    return { ...base, state: 'sent', isUnconfirmed: true, reason, entry, ...tried };
  };
  const failed = (text: string, reason: string): AttemptResult => {
    // At another contact it may have arrived.
    if (claimed.tried.some(({ isUnconfirmed }) => isUnconfirmed)) return unconfirmed(reason, false);
    const end = endOf(claimed, reason, false);
    const entry = entryOf('notice_failed', `${text}: ${end.reason}`);
    return { ...base, state: 'failed', reason: end.reason, entry, ...end.tried };
  };
  switch (delivery.outcome) {
    case 'delivered': {
      const text = claimed.about === 'call' ? `was called and answered ${status}` : 'was sent';
      const sent = { ...base, state: 'sent', entry: entryOf('notice_sent', text) } as const;
      const posted = postedOf(claimed, delivery.posted, { now, random });
      return posted ? { ...sent, posted } : sent;
    }
    case 'handed_over': {
      const { connectionId, connectionName, vendorId, receiptWithinSeconds } = delivery;
      const wakeAt = now.add({ seconds: receiptWithinSeconds });
      const text = handedOverText(claimed, delivery);
      const entry = entryOf('notice_handed_over', text);
      const by = connectionName === undefined ? {} : { connectionName };
      const reportedBy = { connectionId, vendorId, ...by };
      const handedOver = { ...base, state: 'pending', wakeAt, reportedBy, entry } as const;
      const sent = delivery.posted && [delivery.posted];
      const posted = postedOf(claimed, sent, { now, random });
      return posted ? { ...handedOver, posted } : handedOver;
    }
    case 'unconfirmed':
      return unconfirmed(storable(delivery.reason), true);
    case 'withheld': {
      const wakeAt = now.add({ seconds: delivery.forSeconds });
      // The timeline says what becomes of it.
      const { reason } = delivery;
      const withheld = { ...base, state: 'pending', reason, wakeAt, entry: null } as const;
      return leaseUntil ? { ...withheld, withheldUnder: leaseUntil } : withheld;
    }
    default:
  }
  const reason = storable(delivery.reason);
  if (delivery.outcome === 'failed') return failed('failed permanently', reason);
  const isRefused = delivery.outcome === 'refused';
  const lostWait = secondsAfterLost(lostAnswers ?? 0);
  if (lostWait === null)
    return failed(
      'was abandoned',
      `${reason}; it was sent ${lostAnswers} times and may have arrived`,
    );
  const retryAfterSeconds = isRefused ? undefined : delivery.retryAfterSeconds;
  const stepMinutes = claimed.about === 'incident' ? stepMinutesOf(claimed) : undefined;
  const attempt = claimed.attempt - attemptsElsewhere(claimed.tried);
  const retry = { now, random, retryAfterSeconds, stepMinutes };
  const retriedAt = retryAt({ ...claimed, attempt }, retry);
  if (retriedAt === null) return failed('was abandoned', reason);
  const wakeAt = laterOf(retriedAt, now.add({ seconds: lostWait }));
  const isNews = attempt <= retriesOnTimeline;
  return {
    ...base,
    state: 'pending',
    reason,
    wakeAt,
    entry: isNews
      ? entryOf(
          'notice_retry',
          `${isRefused ? 'was rejected' : 'failed'} and is retried: ${reason}`,
        )
      : null,
  };
}

/** Mail servers and vendors repeat the address, and everybody reads what they answered. */
function withMaskedContact<Reported extends ReportedDelivery>(
  { user_id, address }: Claimed,
  delivery: Reported,
): Reported {
  if (user_id === null) return delivery;
  const mask = (text: string) => withMaskedAddresses(text, [address]);
  return {
    ...delivery,
    ...(delivery.answer !== undefined && { answer: mask(delivery.answer) }),
    ...('reason' in delivery && { reason: mask(delivery.reason) }),
  };
}

/** Undefined: this time no vendor can have taken it. */
const lostAnswersOf = ({ lostAnswers = 0 }: Claimed, delivery: ReportedDelivery) =>
  delivery.outcome === 'no_answer' && delivery.maybeTaken ? lostAnswers + 1 : undefined;

const laterOf = (one: Temporal.Instant, other: Temporal.Instant) =>
  Temporal.Instant.compare(one, other) < 0 ? other : one;

/** Why it ended, with what a page to a person may go on from. */
function endOf(claimed: Claimed, reason: string, wasTaken: boolean) {
  if (claimed.about !== 'incident' || !isPage(claimed) || claimed.user_id === null)
    return { reason };
  const { address, attempt: attempts } = claimed;
  const own: TriedContact = { address, reason, isUnconfirmed: wasTaken, attempts };
  const tried = [...claimed.tried, own];
  return { reason: reasonOfAll(tried), tried: { tried } };
}

/**
 * To which connection; at which contact, once it is another than the first; why again, if that is not
 * known yet.
 */
function handedOverText(
  { tried, address }: Claimed,
  { connectionName, before }: { readonly connectionName?: string; readonly before?: string },
): string {
  const to = connectionName === undefined ? '' : ` to ${storable(connectionName)}`;
  const at = tried.length === 0 ? '' : ` for ${maskedAddress(address)}`;
  const again = before === undefined ? '' : ` again, because ${before}`;
  return `was sent${to}${at}${again}, and its receipt is pending`;
}

/** An all-clear is not kept up to date: if the incident is reopened, its message stays true. */
function postedOf(
  claimed: Claimed,
  sent: readonly SentMessage[] | undefined,
  { now, random }: SendContext,
): AttemptResult['posted'] {
  if (claimed.about !== 'incident' || claimed.kind === 'all_clear') return undefined;
  const { joinedAt } = claimed.incident.escalation;
  return sent?.map(({ retry, ...message }) => {
    const posted = { ...message, ...(joinedAt && { joinedAt }) };
    if (retry === undefined) return { ...posted, shows: shownFirst(claimed.incident), wakeAt: now };
    const seconds = Math.max(retry.afterSeconds, backoffSeconds(1, random));
    const wakeAt = now.add({ milliseconds: Math.round(seconds * 1_000) });
    return { ...posted, shows: notYet, wakeAt };
  });
}

function detailsOf(claimed: Claimed, { status, answer }: Pick<AttemptResult, 'status' | 'answer'>) {
  const { attempt } = claimed;
  return claimed.about === 'call'
    ? { attempt, delivery_id: claimed.delivery_id, status, answer }
    : { attempt, answer };
}

/** For the timeline of the incident, if the notice is about one. */
function endingEntry(claimed: Claimed, ending: Ending): Entry | null {
  if (claimed.about === 'incident') return noticeEntry(claimed, claimed.incident, ending);
  if (claimed.about !== 'call' || claimed.event.type !== 'incident') return null;
  return callEntry(claimed, claimed.event.subject.incident, ending);
}

/** Answers may contain characters that PostgreSQL cannot store. */
const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();
