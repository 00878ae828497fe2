// Messages of Amazon SNS: the envelope that HTTPS subscriptions get, and what its signature covers.
import type { Json, JsonObject } from './alert.ts';
import { parseJson, structuresIn } from './body/json.ts';
import { isObject } from './text.ts';

const snsTypes = ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation'] as const;
export type SnsType = (typeof snsTypes)[number];

export type SnsEnvelope = { readonly type: SnsType; readonly fields: JsonObject };

export type SnsMessage = {
  readonly type: SnsType;
  /** As it came, with `TopicArn` and, of a notification that has one, `Subject`. */
  readonly envelope: JsonObject;
  /** What was published: an object or a list if it is the JSON of one, else text. */
  readonly message: Json;
  /** Why it is about nothing, if it is. */
  readonly nothing?: string;
};

/** Undefined: it is no envelope, as with raw message delivery, where only the message is sent. */
export function unwrapSns(json: Json): SnsMessage | undefined {
  const envelope = envelopeOf(json);
  if (envelope === undefined) return undefined;
  const { type, fields } = envelope;
  const nothing = reasons[type];
  const message = publishedIn(String(fields['Message']));
  return { type, envelope: fields, message, ...(nothing && { nothing }) };
}

/** The envelope that a body is, whatever its label: Amazon SNS calls it plain text. */
export function envelopeIn(body: Uint8Array): SnsEnvelope | undefined {
  const text = utf8.decode(body);
  if (!text.includes('"TopicArn"') || structuresIn(text) > MOST_STRUCTURES) return undefined;
  const parsed = parseJson(text);
  return 'value' in parsed ? envelopeOf(parsed.value) : undefined;
}

/** Whether a body may be an envelope: a quick look, for most are none. */
export const mayBeEnvelope = (body: Uint8Array): boolean =>
  body.length < MOST_BYTES && holds(body, '"TopicArn"');

/** Amazon SNS publishes 256 KiB at most, which are more as JSON within JSON. */
const MOST_BYTES = 2_000_000;

/** Whether an ASCII text stands in it. */
export function holds(body: Uint8Array, text: string): boolean {
  const part = new TextEncoder().encode(text);
  const [first = 0] = part;
  for (let at = body.indexOf(first); at >= 0; at = body.indexOf(first, at + 1))
    if (part.every((byte, index) => body[at + index] === byte)) return true;
  return false;
}

const utf8 = new TextDecoder();
/** Lists and objects. An envelope has its own, and those of its attributes. */
const MOST_STRUCTURES = 200;

function envelopeOf(json: Json): SnsEnvelope | undefined {
  if (!isObject(json)) return undefined;
  const type = snsTypes.find((one) => one === json['Type']);
  if (type === undefined || typeof json['Message'] !== 'string') return undefined;
  return typeof json['TopicArn'] === 'string' ? { type, fields: json } : undefined;
}

const reasons: Readonly<Record<SnsType, string | null>> = {
  Notification: null,
  SubscriptionConfirmation: 'Amazon SNS asks to confirm a subscription',
  UnsubscribeConfirmation: 'Amazon SNS reports that a subscription has ended',
};

function publishedIn(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text;
  const parsed = parseJson(text);
  return 'value' in parsed ? parsed.value : text;
}

const ofConfirmations = [
  'Message',
  'MessageId',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
];
const signedFields: Readonly<Record<SnsType, readonly string[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ofConfirmations,
  UnsubscribeConfirmation: ofConfirmations,
};

/** The text that an envelope's signature is of. */
export function signedTextOf({ type, fields }: SnsEnvelope): string {
  // A notification without a subject is signed without it.
  const names = signedFields[type].filter((name) => typeof fields[name] === 'string');
  return names.map((name) => `${name}\n${fields[name]}\n`).join('');
}

/** Of a region such as eu-central-1, us-gov-west-1 and ap-southeast-2; those of China end in .cn. */
const HOST =
  /^sns\.(?:cn-[a-z]+-[1-9]\.amazonaws\.com\.cn|(?!cn-)[a-z]{2}(?:-[a-z]{2,16}){1,3}-[1-9][0-9]?\.amazonaws\.com)$/;
const CERTIFICATE = /^\/SimpleNotificationService-[0-9a-f]{16,64}\.pem$/;

/** As it is written: no parser makes anything else of what is called. */
function sentTo(address: string): URL | null {
  const url = URL.parse(address);
  const isOfSns = url?.origin === `https://${url?.hostname}` && HOST.test(url.hostname);
  return isOfSns && address.startsWith(`${url.origin}/`) ? url : null;
}

/** Whether an address that an envelope names is one of Amazon SNS. */
export const isOfSns = (address: string): boolean => sentTo(address) !== null;

export function isCertificateOfSns(address: string): boolean {
  const url = sentTo(address);
  return url !== null && url.search === '' && url.hash === '' && CERTIFICATE.test(url.pathname);
}

/** What is known of a message's signature when it comes; later nothing checks it again. */
export type Signature =
  | { readonly result: 'good' }
  | { readonly result: 'bad' | 'absent' | 'unchecked'; readonly reason: string };

/** The header of a stored event that has it: nothing that a sender has set. */
export const signatureHeader = 'pager-signature';

export const signatureText = (signature: Signature): string =>
  signature.result === 'good' ? 'good' : `${signature.result}: ${signature.reason}`;

/** With any of these, anybody ends a subscription, or confirms one. */
const secrets = ['UnsubscribeURL', 'Token', 'SubscribeURL'];

/** As it is stored. What is confirmed by hand, since its signature is not good, stays readable. */
export function storedEnvelope({ fields }: SnsEnvelope, { result }: Signature): JsonObject {
  const masked = result === 'good' ? secrets : ['UnsubscribeURL'];
  const names = masked.filter((name) => Object.hasOwn(fields, name));
  return { ...fields, ...Object.fromEntries(names.map((name) => [name, '***'])) };
}

/** The way to Amazon SNS. Neither throws. */
export type SnsClient = {
  checkSignature(envelope: SnsEnvelope, organizationId: string): Promise<Signature>;
  /** Confirms the subscription that a signed message is about; answers why it failed, if it did. */
  confirm(envelope: SnsEnvelope, organizationId: string): Promise<string | null>;
};
