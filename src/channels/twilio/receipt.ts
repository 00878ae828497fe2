// What a status of Twilio’s says of a notice, whether it is sent to Pager or requested from Twilio.
import type { Receipt } from '../../engine/sending/receipt.ts';
import { isPage } from '../../incidents/incident.ts';
import type { Notice } from '../../notices/notice.ts';
import type { Speech } from '../../notices/speech.ts';
import { OUTSIDE_WINDOW, twilioFaultOfCode } from './failure.ts';

/** SIP’s words for a number that cannot be reached, now or ever. */
const sipOfContact: Readonly<Record<number, string>> = {
  404: 'the number does not exist',
  410: 'the number is not in service',
  480: 'the phone cannot be reached',
  484: 'the number is not complete',
  604: 'the number does not exist',
};

/**
 * Whether a call offers keys. A page for which they are `missing` reaches nobody for sure: nothing
 * tells a person from a mailbox. Other notices need none.
 */
export type CallKeys = 'offered' | 'missing' | 'unneeded';

export function keysOf(notice: Notice, { hasKeys }: Pick<Speech, 'hasKeys'>): CallKeys {
  if (hasKeys) return 'offered';
  return isPage(notice) ? 'missing' : 'unneeded';
}

type EndedCall = {
  readonly keys: CallKeys;
  readonly sipCode?: number;
};

/** Of a call; null: nothing is known yet. */
export function receiptOfCall(status: string, { keys, sipCode = 0 }: EndedCall): Receipt | null {
  switch (status) {
    case 'initiated':
    case 'ringing':
      return { state: 'sent', reason: '', blame: null };
    case 'in-progress':
      return { state: 'answered', reason: '', blame: null };
    case 'completed':
      return completed[keys];
    case 'busy':
      return unanswered('busy');
    case 'no-answer':
      return unanswered('no answer');
    case 'canceled':
      return { state: 'undelivered', reason: 'the call was cancelled', blame: 'later' };
    case 'failed': {
      const reason = sipOfContact[sipCode];
      if (reason !== undefined)
        return { state: 'undelivered', reason: `${reason} (SIP ${sipCode})`, blame: 'contact' };
      const detail = sipCode === 0 ? '' : ` (SIP ${sipCode})`;
      return { state: 'undelivered', reason: `the call failed${detail}`, blame: 'later' };
    }
    default:
      return null;
  }
}

/** Of a call that waited at Twilio until it was ended: another connection first, else the same once more. */
export const notBegun = (hasOther: boolean): Receipt => ({
  state: 'undelivered',
  reason: 'Twilio did not start the call in time',
  blame: hasOther ? 'connection' : 'later',
});

const unanswered = (reason: string): Receipt => ({ state: 'unanswered', reason, blame: 'later' });

const completed: Readonly<Record<CallKeys, Receipt>> = {
  offered: unanswered('picked up, but no key was pressed'),
  missing: {
    state: 'read_out',
    reason: 'a call without keys was answered by a person or by voicemail',
    blame: 'later',
  },
  unneeded: { state: 'delivered', reason: 'read out', blame: null },
};

/** Why the contact takes nothing more, of a message with this error; undefined: it does. */
export const contactStateOf = ({ blame }: Receipt, errorCode: number) =>
  blame === 'contact' ? twilioFaultOfCode(errorCode).contactState : undefined;

/**
 * Of a message; null: nothing is known yet. `isFree`: it was no template, which is sent next where the
 * window is over.
 */
export function receiptOfMessage(
  status: string,
  errorCode: number,
  { isFree = false } = {},
): Receipt | null {
  switch (status) {
    case 'sent':
      return { state: 'sent', reason: '', blame: null };
    case 'delivered':
    case 'read':
    case 'partially_delivered':
      return { state: 'delivered', reason: '', blame: null };
    case 'canceled':
      return { state: 'undelivered', reason: 'the message was cancelled', blame: 'later' };
    case 'undelivered':
    case 'failed': {
      const { reason, blame } = twilioFaultOfCode(errorCode);
      return isFree && errorCode === OUTSIDE_WINDOW
        ? windowIsOver
        : { state: 'undelivered', reason, blame };
    }
    default:
      return null;
  }
}

const windowIsOver: Receipt = {
  state: 'undelivered',
  reason: `the person last wrote more than 24 hours ago (${OUTSIDE_WINDOW})`,
  blame: 'later',
};
