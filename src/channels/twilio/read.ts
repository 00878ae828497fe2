// What Twilio sends to the addresses that it is given.
import { createHmac } from 'node:crypto';
import { isProof } from '../../engine/proof.ts';
import type { CountedCall } from '../../engine/sending/channel.ts';
import { blockOf } from '../../notices/words/wording.ts';
import type { CallbackRead, CallbackReader, CallbackRequest } from '../../replies/callback.ts';
import type { Inbound } from '../../replies/inbound.ts';
import { callingCodeOf } from '../../resources/calling-codes.ts';
import { inboundOfWritten, senderNameOf } from '../whatsapp.ts';
import { answerOf } from './answer.ts';
import { fromTwilio, type OpenAccount, twilioConnectionOf } from './connection.ts';
import { type CallKeys, contactStateOf, receiptOfCall, receiptOfMessage } from './receipt.ts';

type CalledAccount = OpenAccount & {
  /** By name, those that still verify. */
  readonly replacedSecrets: Readonly<Record<string, string>>;
};

export const twilioCallbacks = {
  read(request: CallbackRequest, connection: CalledAccount): CallbackRead {
    const { settings, secrets } = twilioConnectionOf(connection);
    const replaced = connection.replacedSecrets['auth_token'];
    const tokens = [secrets.auth_token, ...(replaced === undefined ? [] : [replaced])];
    const fields = new URLSearchParams(request.body.toString('utf8'));
    const signature = request.headers['x-twilio-signature'];
    if (typeof signature !== 'string') return { refused: 'it has no X-Twilio-Signature' };
    if (!isSigned({ url: request.url, fields, signature }, tokens))
      return {
        refused: 'its signature does not match the account: check auth_token and PAGER_PUBLIC_URL',
      };
    if (fields.get('AccountSid') !== settings.account_sid)
      return { refused: 'it is from another account' };
    return inboundOf(request, fields);
  },
  answer: answerOf,
} satisfies CallbackReader<CalledAccount>;

type Signed = {
  readonly url: string;
  readonly fields: URLSearchParams;
  readonly signature: string;
};

/** Whether one of the tokens has signed it: a replaced one still signs for a while. */
export function isSigned(
  { url, fields, signature }: Signed,
  authTokens: readonly string[],
): boolean {
  // All are compared, so that the time tells nothing of which one it was.
  const matches = authTokens.flatMap((token) =>
    spellingsOf(url).map((spelling) => isProof(signature, signatureOf(spelling, fields, token))),
  );
  return matches.includes(true);
}

/** Of the address as it was called, then each field’s name and value, in the order of names. */
export function signatureOf(url: string, fields: URLSearchParams, authToken: string): string {
  const names = [...new Set(fields.keys())].sort();
  const pairs = names.flatMap((name) =>
    [...new Set(fields.getAll(name))].sort().map((value) => name + value),
  );
  return createHmac('sha1', authToken)
    .update(url + pairs.join(''), 'utf8')
    .digest('base64');
}

/** Twilio signs with or without the port. */
function spellingsOf(url: string): readonly string[] {
  const [, origin = '', port = '', rest = ''] =
    /^(https?:\/\/(?:[^/?#@]*@)?(?:\[[^\]]*\]|[^/?#:]*))(:\d+)?(.*)$/s.exec(url) ?? [];
  const standard = origin.startsWith('https:') ? ':443' : ':80';
  return [origin + rest, origin + (port || standard) + rest];
}

/** Whatever address was called: a messaging service has one for both SMS and WhatsApp. */
function inboundOf({ channel, url }: CallbackRequest, fields: URLSearchParams): CallbackRead {
  if (channel === 'phone') return { inbounds: [inboundOfCall(url, fields)] };
  const isWritten = fields.get('MessageStatus') === null;
  const person = fromTwilio(fields.get(isWritten ? 'From' : 'To') ?? '');
  const inbound = isWritten ? inboundOfMessage(fields, person) : reportOf(url, fields, person);
  return { inbounds: [inbound], channel: person.channel };
}

const ignored: Inbound = { type: 'ignored' };

function inboundOfCall(url: string, fields: URLSearchParams): Inbound {
  const vendorId = fields.get('CallSid');
  if (vendorId === null || fields.get('Direction') === 'inbound') return ignored;
  const key = fields.get('Digits');
  if (key !== null && fields.get('CallbackSource') === null)
    return /^[0-9*#]$/.test(key) ? { type: 'key', vendorId, key } : ignored;
  const receipt = receiptOfCall(fields.get('CallStatus') ?? '', {
    keys: keysIn(url),
    sipCode: Number(fields.get('SipResponseCode') ?? 0) || 0,
  });
  if (receipt === null) return ignored;
  const call = callOf(fields);
  return { type: 'receipt', vendorId, receipt, ...(call && { call }) };
}

/** Null: it is not over, or was never taken. */
function callOf(fields: URLSearchParams): CountedCall | null {
  const seconds = Number(fields.get('CallDuration') ?? 0);
  const isCounted = Number.isInteger(seconds) && seconds > 0 && seconds <= LONGEST_CALL_SECONDS;
  return isCounted ? { seconds, country: callingCodeOf(fields.get('To') ?? '') } : null;
}

/** Twilio ends a call after a day at the latest. */
const LONGEST_CALL_SECONDS = 86_400;

/** Where reports of a call are sent: of one that offers no keys, the address says so. */
export const callbackOf = (url: string, keys: CallKeys): string =>
  keys === 'offered' ? url : `${url}?keys=${keys}`;

function keysIn(url: string): CallKeys {
  const keys = URL.parse(url)?.searchParams.get('keys');
  return keys === 'missing' || keys === 'unneeded' ? keys : 'offered';
}

/** Words by which Twilio itself stops and starts sending to somebody. */
const stop = /^(?:stop|stopall|unsubscribe|cancel|end|quit|revoke|optout)$/i;
const start = /^(?:start|unstop|yes)$/i;
/** Twilio answers it. */
const help = /^(?:help|info)$/i;

type Person = ReturnType<typeof fromTwilio>;

type Written = Person & {
  readonly eventId: string;
  readonly body: string;
  /** As Twilio has read it; null: it does not say. */
  readonly optOut: string | null;
  readonly writtenAt?: Temporal.Instant;
  readonly senderName?: string;
  /** The message that it is a reply to. */
  readonly repliedTo?: string;
};

/** Of a message that somebody has sent, whether Twilio calls with it or lists it. */
export function inboundOfText({ channel, ...written }: Written): Inbound {
  const { eventId, address, body, optOut, writtenAt } = written;
  const text = blockOf(body);
  const event = { eventId, address };
  // Where Twilio has read it so, it has answered, too.
  if (optOut === 'STOP') return { type: 'blocked', ...event };
  if (optOut === 'START') return { type: 'restored', ...event };
  if (optOut === 'HELP') return ignored;
  if (channel === 'whatsapp') {
    const { senderName, repliedTo } = written;
    return inboundOfWritten(
      text,
      { ...event, ...(writtenAt && { writtenAt }) },
      {
        ...(senderName && { senderName }),
        ...(repliedTo && { repliedTo: { place: address, messageId: repliedTo } }),
      },
    );
  }
  if (stop.test(text)) return { type: 'blocked', ...event };
  if (start.test(text)) return { type: 'restored', ...event };
  return help.test(text) ? ignored : { type: 'text', ...event, text };
}

function inboundOfMessage(fields: URLSearchParams, person: Person): Inbound {
  const eventId = fields.get('MessageSid') ?? fields.get('SmsSid');
  const body = fields.get('Body');
  if (eventId === null || body === null || person.address === '') return ignored;
  const payload = fields.get('ButtonPayload') ?? '';
  return inboundOfText({
    ...person,
    eventId,
    // The title of a button may be in any language.
    body: isVerb(payload) ? payload : body,
    optOut: fields.get('OptOutType'),
    senderName: senderNameOf(fields.get('ProfileName') ?? ''),
    repliedTo: fields.get('OriginalRepliedMessageSid') ?? '',
  });
}

/** What the buttons of the templates carry. */
const isVerb = (payload: string): boolean => /^(?:acknowledge|resolve|escalate)$/i.test(payload);

/** Where reports of a text in WhatsApp are sent: where it may not arrive, a template may. */
export const freeCallbackOf = (url: string): string => `${url}?sent=text`;

const isFreeIn = (url: string): boolean => URL.parse(url)?.searchParams.get('sent') === 'text';

function reportOf(url: string, fields: URLSearchParams, { address }: Person): Inbound {
  const vendorId = fields.get('MessageSid') ?? fields.get('SmsSid');
  if (vendorId === null) return ignored;
  const errorCode = Number(fields.get('ErrorCode') ?? 0) || 0;
  const isFree = isFreeIn(url);
  const receipt = receiptOfMessage(fields.get('MessageStatus') ?? '', errorCode, { isFree });
  if (receipt === null) return ignored;
  const state = contactStateOf(receipt, errorCode);
  const lost = address !== '' && state !== undefined && { lost: { address, state } };
  return { type: 'receipt', vendorId, receipt, ...lost };
}
