// What calls and SMS have each of their own. WhatsApp is in whatsapp.ts.
import type { HandedOver } from '../../engine/sending/channel.ts';
import type { Receipt } from '../../engine/sending/receipt.ts';
import { sendingLimits } from '../../limits/sending.ts';
import type { Notice } from '../../notices/notice.ts';
import { smsOf, smsSecondsOf } from '../../notices/sms.ts';
import { speechOf } from '../../notices/speech.ts';
import { segmentsOf } from '../../notices/words/gsm7.ts';
import type { Lane } from '../lanes.ts';
import type { Fields, TwilioResource } from './client.ts';
import type { Sender, TwilioChannelName, TwilioConnection } from './connection.ts';
import { isFiltered } from './failure.ts';
import { callbackOf } from './read.ts';
import { keysOf, receiptOfCall, receiptOfMessage } from './receipt.ts';
import { readOut } from './twiml.ts';

/** One notice on its way to one number. */
export type Sending = {
  readonly notice: Notice;
  readonly address: string;
  readonly sender: Sender;
  /** Where Twilio reports about it; null: nowhere. */
  readonly callback: string | null;
  /** Text of any content may be sent; else a template. */
  readonly isFree: boolean;
  readonly settings: TwilioConnection['settings'];
  /** Whether an answer by SMS is received. */
  readonly canReply: boolean;
  /** What Twilio took of the same notice before. */
  readonly earlier: readonly HandedOver[];
};

/** Its pace is that of the account, as its settings have it, or of the sender and of each person, by lanes. */
export type TwilioProduct = Product &
  (
    | { readonly perSecondOf: (settings: TwilioConnection['settings']) => number }
    | { readonly lanesOf: (address: string) => readonly Lane[] }
  );

type Product = {
  readonly channel: TwilioChannelName;
  readonly kind: 'Calls' | 'Messages';
  readonly receiptWithinSeconds: number;
  /** Null: the account has no template for it. */
  readonly fieldsOf: (sending: Sending) => Fields | null;
  /** Why it is not sent, where too many others wait. */
  readonly laneFull: string;
  /** Null: nothing is known yet. `isCalledBack`: Twilio can call Pager. */
  readonly receiptOf: (
    resource: TwilioResource,
    about: { readonly notice: Notice; readonly isCalledBack: boolean },
  ) => Receipt | null;
  readonly countedOf: (fields: Fields) => { readonly segments?: number };
  /** What Twilio lists may be what was requested. */
  readonly isSame: (listed: TwilioResource, fields: Fields) => boolean;
};

/** Shorter than it takes most mailboxes to answer. */
const RING_SECONDS = 25;

export const calls: TwilioProduct = {
  channel: 'phone',
  kind: 'Calls',
  receiptWithinSeconds: sendingLimits.callReceipt,
  perSecondOf: ({ calls_per_second }) => calls_per_second,
  laneFull: 'too many calls are waiting there to be made in time',
  fieldsOf({ notice, address, sender, callback }) {
    const speech = speechOf(notice, { hasKeys: callback !== null });
    return {
      To: address,
      ...sender,
      Twiml: readOut(speech, speech.hasKeys ? callback : null),
      Timeout: String(RING_SECONDS),
      TimeLimit: String(sendingLimits.phoneCallTime),
      ...(callback !== null && {
        StatusCallback: callbackOf(callback, keysOf(notice, speech)),
        StatusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
        StatusCallbackMethod: 'POST',
      }),
    };
  },
  receiptOf: ({ status }, { notice, isCalledBack }) =>
    receiptOfCall(status, { keys: keysOf(notice, speechOf(notice, { hasKeys: isCalledBack })) }),
  countedOf: () => ({}),
  isSame: () => true,
};

export const messages: TwilioProduct = {
  channel: 'sms',
  kind: 'Messages',
  receiptWithinSeconds: sendingLimits.smsReceipt,
  perSecondOf: ({ messages_per_second }) => messages_per_second,
  laneFull: 'too many SMS are waiting there to be sent in time',
  fieldsOf({ notice, address, sender, callback, earlier, settings, ...sending }) {
    const { sms_actions: actions } = settings;
    const canReply = sending.canReply && actions !== 'none';
    const isBare = isFiltered(earlier.at(-1)?.receipt ?? null);
    return {
      To: address,
      ...sender,
      Body: smsOf(notice, { canReply, actions, isBare }),
      ValidityPeriod: String(smsSecondsOf(notice)),
      ...(callback !== null && { StatusCallback: callback }),
    };
  },
  receiptOf: ({ status, errorCode }) => receiptOfMessage(status, errorCode),
  countedOf: ({ Body }) => ({ segments: segmentsOf(String(Body)) }),
  // Twilio writes something before what a trial account sends.
  isSame: ({ body }, { Body }) => body.endsWith(String(Body)),
};
