// What errors of Twilio mean for what is sent next. Twilio adds codes and changes their meaning, so after
// one that is not known another connection is used, then another contact.
import type { Receipt } from '../../engine/sending/receipt.ts';
import type { VendorFault } from '../vendor-fault.ts';
import type { TwilioFailure } from './client.ts';

export type TwilioFault = VendorFault<'contact' | 'connection'> & {
  /** Why the contact cannot be used until its person does something. */
  readonly contactState?: 'opted_out' | 'invalid';
  readonly code: number;
};

type Meaning = Pick<TwilioFault, 'contactState'> & {
  readonly blame: Exclude<TwilioFault['blame'], 'unlisted'>;
  readonly text: string;
};

const contact = (text: string, contactState?: 'opted_out' | 'invalid'): Meaning => ({
  blame: 'contact',
  text,
  ...(contactState && { contactState }),
});
const connection = (text: string): Meaning => ({ blame: 'connection', text });
const later = (text: string): Meaning => ({ blame: 'later', text });

const invalid = contact('the number is not a valid phone number', 'invalid');
const noMobile = contact('the number cannot receive SMS', 'invalid');
const credentials = connection(
  'the credentials are not valid: set account_sid and auth_token to the values in the Twilio console, or use an API key that is not revoked',
);
const suspended = connection('the account is suspended: see the Twilio console');
const geography = connection(
  'the account is not allowed to reach the country of this number: allow it in the Twilio console, under Geo permissions',
);
const trial = connection(
  'a trial account reaches only verified numbers: verify this one in the Twilio console, or upgrade the account',
);
const sender = connection('the sender does not belong to the account, or cannot be used for this');
const service = connection('the messaging service has no sender that can be used');
const unregistered = connection('the sender is not registered with the carriers');
const tooMany = later('too many requests at once');

const templateMissing = connection(
  'the content template does not exist: check content_sid and notice_content_sid',
);
const templateForm = connection(
  'the content template does not have the variables and buttons that Pager fills in: create it again as the guide describes',
);
const templateRefused = connection(
  'WhatsApp has rejected, paused or disabled the content template: see the Twilio console',
);
const noWhatsAppSender = connection(
  'the number is not a WhatsApp sender of the account: check from_whatsapp',
);
const whatsAppAccount = connection('WhatsApp restricts the account: see the Twilio console');
const whatsAppFailed = later('WhatsApp failed');
const noWhatsApp = contact(
  'WhatsApp cannot deliver to this number, or the person has blocked the sender',
);

const FILTERED = 30007;
/** The person last wrote more than 24 hours ago: only an approved template may be sent. */
export const OUTSIDE_WINDOW = 63016;

const meanings: Readonly<Record<number, Meaning>> = {
  20003: credentials,
  20404: credentials,
  20005: suspended,
  10001: suspended,
  30002: suspended,
  20429: tooMany,
  14107: tooMany,
  13223: invalid,
  13224: invalid,
  21211: invalid,
  21217: invalid,
  21265: invalid,
  13225: contact('Twilio does not call this number'),
  21266: contact('the number is the one that the account sends from'),
  21214: contact('the number cannot be called', 'invalid'),
  21610: contact(
    'the person sent STOP to this sender and must send START to it first',
    'opted_out',
  ),
  21614: noMobile,
  21635: noMobile,
  30006: noMobile,
  30005: contact('the number is not in service', 'invalid'),
  30004: contact('the phone or its carrier blocks this sender'),
  13227: geography,
  21203: geography,
  21215: geography,
  21216: geography,
  21408: geography,
  21219: trial,
  21608: trial,
  10002: trial,
  13214: sender,
  21210: sender,
  21212: sender,
  21603: sender,
  21606: sender,
  21607: sender,
  21612: sender,
  21659: sender,
  21660: sender,
  21661: sender,
  21701: service,
  21703: service,
  21704: service,
  30032: unregistered,
  30034: unregistered,
  // https://www.twilio.com/docs/api/errors, of WhatsApp
  21655: templateMissing,
  21656: templateForm,
  63001: noWhatsAppSender,
  63002: noWhatsAppSender,
  63003: noWhatsApp,
  63005: templateForm,
  63007: noWhatsAppSender,
  63008: noWhatsAppSender,
  63010: whatsAppFailed,
  63012: whatsAppFailed,
  63013: connection('the content violates a policy of WhatsApp: see the Twilio console'),
  63014: contact('WhatsApp did not deliver it because of something that the person did'),
  63015: connection('the sandbox reaches only the numbers that have joined it'),
  [OUTSIDE_WINDOW]: connection(
    'the person last wrote more than 24 hours ago, and the content template is not approved',
  ),
  63018: tooMany,
  63020: whatsAppAccount,
  63021: templateForm,
  63022: noWhatsAppSender,
  63024: noWhatsApp,
  63027: templateMissing,
  63028: templateForm,
  63030: templateForm,
  63031: contact('the number is the one that the account sends from'),
  63032: contact('WhatsApp limits which messages this person gets'),
  63033: noWhatsApp,
  63040: templateRefused,
  63041: templateRefused,
  63042: templateRefused,
  63049: contact('WhatsApp limits which messages this person gets'),
  63051: whatsAppAccount,
  63112: whatsAppAccount,
  30001: later('too many messages are waiting in the queue'),
  // Not the same phone once more.
  30003: contact('the phone is switched off or out of reach'),
  [FILTERED]: later('a carrier has filtered the message'),
  30008: later('a carrier reports an unknown error'),
  30036: later('the message waited too long to be sent'),
  30450: later('the message was stopped as suspicious'),
};

/** Of an answer, or of none, to a request. */
export function twilioFaultOf(failure: TwilioFailure): TwilioFault {
  if (failure.type === 'no_answer') {
    const { reason, maybeExecuted } = failure;
    return { blame: 'later', reason: `Twilio: ${reason}`, code: 0, maybeExecuted, isOutage: true };
  }
  const { status, code, message } = failure;
  const { text, ...meaning } = meanings[code] ?? ofStatus(status);
  return {
    ...meaning,
    code,
    reason: `Twilio: ${text} (${code || status}${message && `: ${message}`})`,
    // Refused before anything was done; an error of theirs may have come after.
    maybeExecuted: status >= 500,
    ...(status >= 500 && { isOutage: true }),
  };
}

/** Whether the account gets too much at once, so that others would be refused, too. */
export const isTooMany = (failure: TwilioFailure): boolean =>
  failure.type === 'refused' && (failure.status === 429 || meanings[failure.code] === tooMany);

/** Of the code in the receipt of a message; 0: it has none. */
export function twilioFaultOfCode(
  code: number,
): Omit<Meaning, 'text'> & Pick<TwilioFault, 'reason'> {
  const { text, ...meaning } = meanings[code] ?? later('the message did not arrive');
  return { ...meaning, reason: code === 0 ? text : `${text} (${code})` };
}

function ofStatus(status: number): Meaning | { readonly blame: 'unlisted'; readonly text: string } {
  if (status === 401 || status === 403) return credentials;
  if (status === 429) return tooMany;
  if (status === 408 || status >= 500) return later('the service failed');
  return { blame: 'unlisted', text: 'the request was rejected' };
}

/** Whether it is the words of the message that a carrier does not let through. */
export const isFiltered = (receipt: Receipt | null): boolean =>
  receipt?.reason === twilioFaultOfCode(FILTERED).reason;
