// What Twilio sends to the addresses that it is given.
import { createHmac } from 'node:crypto';
import { isProof } from '../../engine/proof.ts';
import type { CountedCall } from '../../engine/sending/channel.ts';
import { blockOf } from '../../notices/words/wording.ts';
import type { CallbackRead, CallbackReader, CallbackRequest } from '../../replies/callback.ts';
import type { Inbound } from '../../replies/inbound.ts';
import { callingCodeOf } from '../../resources/calling-codes.ts';
import { answerOf } from './answer.ts';
import { type OpenAccount, twilioConnectionOf } from './connection.ts';
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
    return { inbounds: [inboundOf(request, fields)] };
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

function inboundOf({ channel, url }: CallbackRequest, fields: URLSearchParams): Inbound {
  return channel === 'phone' ? inboundOfCall(url, fields) : inboundOfMessage(fields);
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

type Text = {
  readonly eventId: string;
  readonly address: string;
  readonly body: string;
  /** As Twilio has read it; null: it does not say. */
  readonly optOut: string | null;
};

/** Of a message that somebody has sent, whether Twilio calls with it or lists it. */
export function inboundOfText({ eventId, address, body, optOut }: Text): Inbound {
  const text = blockOf(body);
  if (optOut === 'STOP' || stop.test(text)) return { type: 'blocked', eventId, address };
  if (optOut === 'START' || start.test(text)) return { type: 'restored', eventId, address };
  if (optOut === 'HELP' || help.test(text)) return ignored;
  return { type: 'text', eventId, address, text };
}

function inboundOfMessage(fields: URLSearchParams): Inbound {
  const vendorId = fields.get('MessageSid') ?? fields.get('SmsSid');
  if (vendorId === null) return ignored;
  const body = fields.get('Body');
  const address = fields.get('From');
  if (body !== null && address !== null && fields.get('MessageStatus') === null) {
    const optOut = fields.get('OptOutType');
    return inboundOfText({ eventId: vendorId, address, body, optOut });
  }
  const errorCode = Number(fields.get('ErrorCode') ?? 0) || 0;
  const receipt = receiptOfMessage(fields.get('MessageStatus') ?? '', errorCode);
  if (receipt === null) return ignored;
  const to = fields.get('To');
  const state = contactStateOf(receipt, errorCode);
  const lost = to !== null && state !== undefined && { lost: { address: to, state } };
  return { type: 'receipt', vendorId, receipt, ...lost };
}
