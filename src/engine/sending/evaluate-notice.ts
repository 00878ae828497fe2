// Decides whether a due notice is still sent: it may be cancelled, or held while its incident is
// muted.
import {
  callEntry,
  cancellationReason,
  heldUntil,
  noticeEntry,
} from '../../incidents/notice-cancellation.ts';
import { shiftCancellationReason } from '../../shifts/notice-cancellation.ts';
import type { Unwanted } from '../ports/sending.ts';
import type { Claimed, ClaimedCall, ClaimedIncidentNotice } from './claimed.ts';

type SendConditions = {
  readonly now: Temporal.Instant;
  /** The notice would exceed the organisation's monthly limit. */
  readonly limitReached: boolean;
  /** Whether the limit applies to pages too. */
  readonly hardAlertLimit: boolean;
};

const limitReason = 'the monthly alert limit is reached';

/** Null: the notice is sent. */
export function evaluateNotice(notice: Claimed, conditions: SendConditions): Unwanted | null {
  const { now, limitReached } = conditions;
  switch (notice.about) {
    case 'incident':
      return unwantedPage(notice, conditions);
    case 'shift': {
      const reason = shiftCancellationReason(notice, now) ?? (limitReached ? limitReason : null);
      return reason === null ? null : { reason, entry: null };
    }
    case 'usage':
    case 'webhook':
    case 'connection':
    case 'channel':
    case 'undecided':
    case 'lost_contact':
      return null;
    case 'call':
      return unwantedCall(notice, now);
  }
}

/** A call that a person sends again is never too late. */
function unwantedCall(call: ClaimedCall, now: Temporal.Instant): Unwanted | null {
  const { event, webhook, original } = call;
  const isTimely = event.type !== 'shift' || original !== null;
  const late = isTimely ? null : shiftCancellationReason(event, now);
  const reason = webhook.archived ? 'the webhook is archived' : late;
  if (reason === null) return null;
  const ending = { type: 'notice_cancelled', text: `was not called: ${reason}` };
  const entry = event.type === 'incident' ? callEntry(call, event.subject.incident, ending) : null;
  return { reason, entry };
}

function unwantedPage(notice: ClaimedIncidentNotice, conditions: SendConditions): Unwanted | null {
  const { incident } = notice;
  const { now, limitReached, hardAlertLimit } = conditions;
  const evaluateNotice = cancellationReason(notice, incident);
  const holdUntil = evaluateNotice === null ? heldUntil(notice, incident, now) : null;
  if (holdUntil !== null) return { holdUntil };
  const isStopped = limitReached && hardAlertLimit;
  const reason = evaluateNotice ?? (isStopped ? limitReason : null);
  if (reason === null) return null;
  const what =
    notice.earlier.length + notice.tried.length === 0 ? 'was not sent' : 'is not retried';
  const ending = { type: 'notice_cancelled', text: `${what}: ${reason}` };
  return { reason, entry: noticeEntry(notice, incident, ending) };
}
