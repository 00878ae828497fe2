// Messages of Amazon SNS: the envelope that HTTPS subscriptions get, and what its signature covers.
import type { Json, JsonObject } from './alert.ts';
import { parseJson } from './json.ts';
import { isObject } from './text.ts';

const snsTypes = ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation'] as const;
export type SnsType = (typeof snsTypes)[number];

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
  if (!isObject(json)) return undefined;
  const type = snsTypes.find((one) => one === json['Type']);
  const text = json['Message'];
  if (type === undefined || typeof text !== 'string' || typeof json['TopicArn'] !== 'string')
    return undefined;
  const nothing = reasons[type];
  return { type, envelope: json, message: publishedIn(text), ...(nothing && { nothing }) };
}

const reasons: Readonly<Record<SnsType, string | null>> = {
  Notification: null,
  SubscriptionConfirmation: 'Amazon SNS asks to confirm a subscription',
  UnsubscribeConfirmation: 'Amazon SNS tells that a subscription has ended',
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
export function signedTextOf({ type, envelope }: Pick<SnsMessage, 'type' | 'envelope'>): string {
  const fields = signedFields[type].map((name) => [name, envelope[name]] as const);
  // A notification without a subject is signed without it.
  const present = fields.filter(([, value]) => typeof value === 'string');
  return present.map(([name, value]) => `${name}\n${value}\n`).join('');
}

const HOST = /^sns\.[a-zA-Z0-9-]{3,}\.amazonaws\.com(?:\.cn)?$/;

/** Whether an address that an envelope names is one of Amazon SNS. */
export function isOfSns(address: string): boolean {
  const url = URL.parse(address);
  return (
    url !== null &&
    url.protocol === 'https:' &&
    url.port === '' &&
    url.username === '' &&
    HOST.test(url.hostname)
  );
}

export const isCertificateOfSns = (address: string): boolean =>
  isOfSns(address) && new URL(address).pathname.endsWith('.pem');
