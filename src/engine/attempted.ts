import { noticeEntry } from '../incidents/wanted.ts';
import { retryAt } from './backoff.ts';
import type { Delivery } from './channel.ts';
import type { Attempted, Claimed } from './ledger.ts';

/** The first failures are news; the hundredth is in the attempts. */
const retriesTold = 3;

type At = { readonly now: Temporal.Instant; readonly random: () => number };

/** What an answer means for the notice: sent, given up, or to be tried again and when. */
export function attemptedOf(claimed: Claimed, delivery: Delivery, { now, random }: At): Attempted {
  const answer = delivery.answer === undefined ? null : storable(delivery.answer);
  const entryOf = (type: string, says: string) => {
    if (claimed.about !== 'incident') return null;
    const details = { attempt: claimed.attempt, answer };
    return noticeEntry(claimed, claimed.incident, { type, says, details });
  };
  const base = { claimed, finishedAt: now, answer, reason: null, wakeAt: null };
  if (delivery.outcome === 'delivered')
    return { ...base, state: 'sent', entry: entryOf('notice_sent', 'was sent') };
  const reason = storable(delivery.reason);
  const failed = (says: string): Attempted => ({
    ...base,
    state: 'failed',
    reason,
    entry: entryOf('notice_failed', `${says}: ${reason}`),
  });
  if (delivery.outcome === 'failed') return failed('failed for good');
  const { retryAfterSeconds } = delivery;
  const wakeAt = retryAt(claimed, { now, random, retryAfterSeconds });
  if (wakeAt === null) return failed('was given up');
  const isNews = claimed.attempt <= retriesTold;
  return {
    ...base,
    state: 'pending',
    reason,
    wakeAt,
    entry: isNews ? entryOf('notice_retry', `failed and is tried again: ${reason}`) : null,
  };
}

/** Others may answer anything; PostgreSQL cannot hold all of it. */
const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();
