// WhatsApp by Twilio: as text where the person has just written, else by a content template.
import { sendingLimits } from '../../limits/sending.ts';
import { smsSecondsOf } from '../../notices/sms.ts';
import { whatsAppTextOf, whatsAppVariablesOf } from '../../notices/whatsapp.ts';
import { numberLane, personLane } from '../whatsapp.ts';
import type { Fields } from './client.ts';
import { toWhatsApp } from './connection.ts';
import type { Sending, TwilioProduct } from './products.ts';
import { freeCallbackOf } from './read.ts';
import { receiptOfMessage } from './receipt.ts';

export const whatsApp: TwilioProduct = {
  channel: 'whatsapp',
  kind: 'Messages',
  receiptWithinSeconds: sendingLimits.whatsAppReceipt,
  lanesOf: (address) => [numberLane, personLane(address)],
  laneFull: 'too many messages are waiting there to be sent in time',
  fieldsOf(sending) {
    const { notice, address, sender, callback, isFree } = sending;
    const content = isFree ? freeText(sending) : template(sending);
    if (content === null) return null;
    const reportTo = callback !== null && isFree ? freeCallbackOf(callback) : callback;
    return {
      To: toWhatsApp(address),
      ...sender,
      ...content,
      ValidityPeriod: String(smsSecondsOf(notice)),
      ...(reportTo !== null && { StatusCallback: reportTo }),
    };
  },
  receiptOf: ({ status, errorCode }) => receiptOfMessage(status, errorCode),
  countedOf: () => ({}),
  // Twilio lists a template with its variables filled in.
  isSame: ({ body }, { Body, ContentVariables }) =>
    Body === undefined
      ? Object.values(JSON.parse(String(ContentVariables))).every((value) =>
          body.includes(String(value)),
        )
      : body.endsWith(String(Body)),
};

const freeText = ({ notice, canReply }: Sending): Fields => ({
  Body: whatsAppTextOf(notice, { canReply }),
});

function template({ notice, settings }: Sending): Fields | null {
  const filled = whatsAppVariablesOf(notice);
  const sid = filled.template === 'page' ? settings.content_sid : settings.notice_content_sid;
  return sid === undefined ? null : contentOf(sid, filled.variables);
}

/** Its variables are named by their number, from 1 on. */
export const contentOf = (sid: string, variables: readonly string[]): Fields => ({
  ContentSid: sid,
  ContentVariables: JSON.stringify(
    Object.fromEntries(variables.map((text, index) => [String(index + 1), text])),
  ),
});
