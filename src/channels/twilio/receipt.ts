// What a status of Twilio’s says of a notice, whether it is sent to Pager or requested from Twilio.
import type { Receipt } from '../../engine/receiving/receipt.ts';
import { twilioFaultOfCode } from './failure.ts';

/** SIP’s words for a number that cannot be reached, now or ever. */
const sipOfContact: Readonly<Record<number, string>> = {
  ...{ 404: 'the number does not exist', 410: 'the number is not in service' },
  ...{ 480: 'the phone cannot be reached', 484: 'the number is not complete' },
  ...{ 604: 'the number does not exist' },
};

type EndedCall = {
  /** Whether the call offered keys; without any, nothing tells a person from a machine. */
  readonly hasKeys: boolean;
  readonly sipCode?: number;
};

/** Of a call; null: nothing is known yet. */
export function receiptOfCall(status: string, { hasKeys, sipCode = 0 }: EndedCall): Receipt | null {
  switch (status) {
    case 'ringing':
      return { state: 'sent', reason: '', blame: null };
    case 'in-progress':
      return { state: 'answered', reason: '', blame: null };
    case 'completed':
      return hasKeys
        ? unanswered('picked up, but no key was pressed')
        : { state: 'delivered', reason: 'read out, by a call without keys', blame: null };
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

const unanswered = (reason: string): Receipt => ({ state: 'unanswered', reason, blame: 'later' });

/** Why the contact takes nothing more, of a message with this error; undefined: it does. */
export const contactStateOf = ({ blame }: Receipt, errorCode: number) =>
  blame === 'contact' ? twilioFaultOfCode(errorCode).contactState : undefined;

/** Of a message; null: nothing is known yet. */
export function receiptOfMessage(status: string, errorCode: number): Receipt | null {
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
      return { state: 'undelivered', reason, blame };
    }
    default:
      return null;
  }
}
