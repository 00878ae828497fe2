// Whether a notice, decided earlier, is to go out now that its turn has come.
import {
  callEntry,
  cancellationReason,
  heldUntil,
  noticeEntry,
} from '../../incidents/notice-cancellation.ts';
import { whyUnwantedShift } from '../../shifts/wanted.ts';
import type { Unwanted } from '../ledger.ts';
import type { Claimed, ClaimedCall, ClaimedIncidentNotice } from './claimed.ts';

type SendConditions = {
  readonly now: Temporal.Instant;
  /** It would go beyond the organisation's monthly limit. */
  readonly limitReached: boolean;
  /** The limit stops pages too. */
  readonly hardAlertLimit: boolean;
};

const limitReason = 'the monthly alert limit is reached';

/** Why a notice must not go out, or until when it waits; null when it may. */
export function evaluateNotice(notice: Claimed, conditions: SendConditions): Unwanted | null {
  const { now, limitReached } = conditions;
  switch (notice.about) {
    case 'incident':
      return unwantedPage(notice, conditions);
    case 'shift': {
      const reason = whyUnwantedShift(notice, now) ?? (limitReached ? limitReason : null);
      return reason === null ? null : { reason, entry: null };
    }
    case 'usage':
    case 'webhook':
    case 'undecided':
      return null;
    case 'call':
      return unwantedCall(notice, now);
  }
}

/** What somebody asked to be sent again is not too late. */
function unwantedCall(call: ClaimedCall, now: Temporal.Instant): Unwanted | null {
  const { event, webhook, original } = call;
  const isTimely = event.type !== 'shift' || original !== null;
  const late = isTimely ? null : whyUnwantedShift(event, now);
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
  const ending = { type: 'notice_cancelled', text: `was not sent: ${reason}` };
  return { reason, entry: noticeEntry(notice, incident, ending) };
}
