// What errors of WhatsApp’s Cloud API mean for what is sent next:
// https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes
import type { Receipt } from '../../engine/sending/receipt.ts';
import type { VendorFault } from '../vendor-fault.ts';
import type { CloudFailure } from './client.ts';

/** What gets too much at once. */
export type FullLane = 'person' | 'number';

export type CloudFault = VendorFault<'contact' | 'connection'> & {
  readonly code: number;
  readonly full?: FullLane;
};

type Meaning = Pick<CloudFault, 'full'> & {
  readonly blame: Exclude<CloudFault['blame'], 'unlisted'>;
  readonly text: string;
};

const connection = (text: string): Meaning => ({ blame: 'connection', text });
const later = (text: string): Meaning => ({ blame: 'later', text });
const tooMany = (full: FullLane, text: string): Meaning => ({ blame: 'later', text, full });

const token = connection(
  'the access token is not valid: generate a permanent one for the system user, and set access_token',
);
const permission = connection(
  'the access token lacks a permission: it needs whatsapp_business_messaging and whatsapp_business_management',
);
const account = connection('Meta restricts the WhatsApp account: see WhatsApp Manager');
const payment = connection(
  'Meta cannot bill the WhatsApp account: check its payment method in WhatsApp Manager',
);
const notRegistered = connection(
  'the number is not registered: register it with the Cloud API, as the guide describes',
);
const templateMissing = connection(
  'the template does not exist in this language: check template, notice_template and language',
);
const templateForm = connection(
  'the template does not have the variables and buttons that Pager fills in: create it again as the guide describes',
);
const templatePaused = connection(
  'Meta has paused or disabled the template because of its quality: see WhatsApp Manager',
);

/** More than 24 hours ago: only a template may be sent. */
export const OUTSIDE_WINDOW = 131047;

const meanings: Readonly<Record<number, Meaning>> = {
  0: token,
  190: token,
  3: permission,
  10: permission,
  33: connection('the access token cannot use this number: check phone_number_id'),
  368: account,
  130497: connection('Meta does not allow this account to message numbers of this country'),
  131005: permission,
  131031: account,
  131037: connection('the display name of the number is not approved: see WhatsApp Manager'),
  131042: payment,
  131045: notRegistered,
  131048: connection('people blocked or reported too many messages from this number'),
  131064: account,
  133010: notRegistered,
  132000: templateForm,
  132001: templateMissing,
  132005: connection('the template is too long once Pager fills in the variables: shorten it'),
  132007: connection('the content violates a policy of WhatsApp: see WhatsApp Manager'),
  132012: templateForm,
  132015: templatePaused,
  132016: templatePaused,
  131030: connection('a test number reaches only the numbers that are listed under “API Setup”'),
  131021: { blame: 'contact', text: 'the recipient is the number that sends the messages' },
  131026: {
    blame: 'contact',
    text: 'WhatsApp cannot deliver to this number, or the person has blocked the sender',
  },
  130472: {
    blame: 'contact',
    text: 'Meta does not deliver to this person, who is part of an experiment',
  },
  131049: { blame: 'contact', text: 'Meta limits how many messages this person gets' },
  [OUTSIDE_WINDOW]: later('the person last wrote more than 24 hours ago'),
  131056: tooMany('person', 'too many messages to this person at once'),
  130429: tooMany('number', 'too many messages at once'),
  80007: tooMany('number', 'too many requests for the WhatsApp account'),
  4: tooMany('number', 'too many requests from the app'),
  1: later('the service failed'),
  2: later('the service failed'),
  131000: later('the service failed'),
  131016: later('the service is overloaded'),
  131057: later('the account is in maintenance'),
  133004: later('the service is not available'),
};

/** Meta documents 200 to 299 as missing permissions, and all of 132xxx as errors of templates. */
function ofRange(code: number): Meaning | null {
  if (code >= 200 && code <= 299) return permission;
  if (code >= 132_000 && code <= 132_999) return connection('the template cannot be used');
  return null;
}

/** Of an answer, or of none, to a request. */
export function cloudFaultOf(failure: CloudFailure): CloudFault {
  if (failure.type === 'no_answer') {
    const { reason, maybeExecuted } = failure;
    const isOutage = true;
    return { blame: 'later', reason: `WhatsApp: ${reason}`, code: 0, maybeExecuted, isOutage };
  }
  const { status, code, message, isTransient } = failure;
  const isServerFault = status >= 500;
  const known = status === 429 && code === 0 ? undefined : (meanings[code] ?? ofRange(code));
  const { text, ...meaning } = known ?? ofStatus(status, isTransient);
  return {
    ...meaning,
    code,
    reason: `WhatsApp: ${text} (${code || status}${message && `: ${message}`})`,
    maybeExecuted: isServerFault && meaning.blame === 'later',
    ...(isServerFault && meaning.blame === 'later' && !meaning.full && { isOutage: true as const }),
  };
}

type Unknown = Pick<CloudFault, 'full'> & {
  readonly blame: 'later' | 'unlisted' | 'connection';
  readonly text: string;
};

function ofStatus(status: number, isTransient: boolean): Unknown {
  if (status === 401) return { blame: 'connection', text: token.text };
  if (status === 429) return { blame: 'later', text: 'too many messages at once', full: 'number' };
  if (status === 408 || status >= 500 || isTransient)
    return { blame: 'later', text: 'the service failed' };
  return { blame: 'unlisted', text: 'the request was rejected' };
}

/** Of a message that Meta took, and then reports as failed. 0: it names no code. */
export function failedReceiptOf(code: number): Receipt {
  const { text, blame } =
    code === 0 ? later('the message did not arrive') : (meanings[code] ?? ofRange(code) ?? unknown);
  return { state: 'undelivered', reason: code === 0 ? text : `${text} (${code})`, blame };
}

const unknown = later('the message did not arrive');
