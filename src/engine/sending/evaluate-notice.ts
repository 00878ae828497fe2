// Decides whether a due notice is still sent: it may be canceled, or held while its incident is muted.
import { callEntry } from '../../incidents/notice-cancellation.ts';
import type { SendConditions, Unwanted } from '../../notices/kind.ts';
import { unwanted } from '../../notices/queued.ts';
import { shiftCancellationReason } from '../../shifts/notice-cancellation.ts';
import type { Claimed, ClaimedCall } from './claimed.ts';

/** Null: the notice is sent. */
export function evaluateNotice(
  notice: Claimed,
  conditions: Omit<SendConditions, 'wasTried'>,
): Unwanted | null {
  if (notice.about === 'call') return unwantedCall(notice, conditions.now);
  const wasTried = notice.earlier.length + notice.tried.length > 0;
  return unwanted(notice, { ...conditions, wasTried });
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
