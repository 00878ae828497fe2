// What Meta sends to the address of a connection: a challenge, messages of people, and receipts.
import { createHmac } from 'node:crypto';
import { isProof } from '../../engine/proof.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { blockOf } from '../../notices/words/wording.ts';
import type { CallbackRead, CallbackRequest } from '../../replies/callback.ts';
import type { Inbound } from '../../replies/inbound.ts';
import { itemsOf, membersOf, parsedJson } from '../json.ts';
import type { CalledConnection } from '../vendor.ts';
import { inboundOfWritten, senderNameOf } from '../whatsapp.ts';
import { cloudConnectionOf } from './connection.ts';
import { failedReceiptOf } from './failure.ts';

const TEXT_LENGTH_READ = 4_096;

export function readWhatsAppCloud(
  request: CallbackRequest,
  called: CalledConnection,
): CallbackRead {
  if (request.method === 'GET') return readChallenge(request, called);
  const signature = request.headers['x-hub-signature-256'];
  if (typeof signature !== 'string') return { refused: 'it has no X-Hub-Signature-256' };
  if (!isSigned(request.body, signature, secretsNamed(called, 'app_secret')))
    return { refused: 'its signature does not match: check app_secret' };
  const { settings } = cloudConnectionOf(called);
  const updates = updatesIn(parsedJson(request.body.toString('utf8')), settings.phone_number_id);
  if (updates.length > sendingLimits.whatsAppUpdates)
    return { refused: `it has more than ${sendingLimits.whatsAppUpdates} messages and receipts` };
  return { inbounds: updates };
}

/** Those that still verify: a replaced one does for a while. */
function secretsNamed(
  { secrets, replacedSecrets }: CalledConnection,
  name: 'app_secret' | 'verify_token',
): readonly string[] {
  return [secrets[name], replacedSecrets[name]].filter(
    (one) => one !== undefined && one !== '',
  ) as string[];
}

/** https://developers.facebook.com/docs/graph-api/webhooks/getting-started#verification-requests */
function readChallenge({ url }: CallbackRequest, called: CalledConnection): CallbackRead {
  const query = URL.parse(url)?.searchParams;
  const challenge = query?.get('hub.challenge') ?? '';
  const sent = query?.get('hub.verify_token') ?? '';
  const isRight = secretsNamed(called, 'verify_token')
    .map((token) => isProof(sent, token))
    .includes(true);
  if (query?.get('hub.mode') !== 'subscribe' || !isRight)
    return {
      refused: 'its verify token differs from the one of the connection: check verify_token',
    };
  if (!/^[\w-]{1,200}$/.test(challenge)) return { refused: 'it has no challenge' };
  return { answer: { status: 200, contentType: 'text/plain; charset=utf-8', body: challenge } };
}

/** Whether one of the secrets has signed the body as it came. */
function isSigned(body: Buffer, signature: string, secrets: readonly string[]): boolean {
  // All are compared, so that the time tells nothing of which one it was.
  return secrets.map((secret) => isProof(signature, signatureOf(body, secret))).includes(true);
}

export const signatureOf = (body: Buffer, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** Of all entries and changes, those of this number: an app may have several. */
function updatesIn(payload: unknown, phoneNumberId: string): readonly Inbound[] {
  const { object, entry } = membersOf(payload);
  if (object !== 'whatsapp_business_account') return [];
  return itemsOf(entry).flatMap((one) =>
    itemsOf(membersOf(one)['changes']).flatMap((change) => {
      const { field, value } = membersOf(change);
      const { metadata, contacts, messages, statuses } = membersOf(value);
      if (field !== 'messages' || membersOf(metadata)['phone_number_id'] !== phoneNumberId)
        return [];
      const names = namesIn(contacts);
      return [
        ...itemsOf(messages).map((message) => messageOf(membersOf(message), names)),
        ...itemsOf(statuses).map((status) => receiptOf(membersOf(status))),
      ];
    }),
  );
}

type Members = Readonly<Record<string, unknown>>;
const ignored: Inbound = { type: 'ignored' };

/** What people call themselves, by their number. */
const namesIn = (contacts: unknown): ReadonlyMap<unknown, string> =>
  new Map(
    itemsOf(contacts).flatMap((contact) => {
      const { wa_id, profile } = membersOf(contact);
      const { name } = membersOf(profile);
      return typeof name === 'string' ? [[wa_id, senderNameOf(name)]] : [];
    }),
  );

function messageOf(message: Members, names: ReadonlyMap<unknown, string>): Inbound {
  const { id, from, timestamp, type, text, button, interactive } = message;
  if (!isWord(id) || typeof from !== 'string' || !/^[1-9]\d{6,14}$/.test(from)) return ignored;
  const writtenAt = timeOf(timestamp);
  const senderName = names.get(from);
  const event = {
    address: `+${from}`,
    eventId: id,
    ...(writtenAt && { writtenAt }),
  };
  const sender = senderName ? { senderName } : {};
  const press = (handle: unknown): Inbound =>
    isWord(handle) ? { type: 'press', handle, ...event, ...sender } : ignored;
  if (type === 'button') return press(membersOf(button)['payload']);
  if (type === 'interactive') return press(membersOf(membersOf(interactive)['button_reply'])['id']);
  const { body } = membersOf(text);
  if (type !== 'text' || typeof body !== 'string') return ignored;
  const written = blockOf(body.slice(0, TEXT_LENGTH_READ));
  return inboundOfWritten(written, event, sender);
}

function receiptOf({ id, status, errors, biz_opaque_callback_data: handle }: Members): Inbound {
  if (!isWord(id) || !isWord(handle)) return ignored;
  const receipt = { type: 'receipt', vendorId: id, handle } as const;
  switch (status) {
    case 'sent':
      return { ...receipt, receipt: { state: 'sent', reason: '', blame: null } };
    case 'delivered':
    case 'read':
      return { ...receipt, receipt: { state: 'delivered', reason: '', blame: null } };
    case 'failed': {
      const { code } = membersOf(itemsOf(errors)[0]);
      return { ...receipt, receipt: failedReceiptOf(typeof code === 'number' ? code : 0) };
    }
    default:
      return ignored;
  }
}

/** Of seconds since 1970, as many as an instant may have. */
function timeOf(seconds: unknown): Temporal.Instant | undefined {
  if (typeof seconds !== 'string' || !/^\d{1,12}$/.test(seconds)) return undefined;
  return Temporal.Instant.fromEpochMilliseconds(Number(seconds) * 1_000);
}

/** Ids and handles. */
const isWord = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,512}$/.test(value);
