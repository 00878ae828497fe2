// What this server and browsers give each other for pushes.

/** What a browser gives whoever may send to it, as its `PushSubscription` writes itself. */
export type Subscription = {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
};

/** What the service worker reads. Paths are of its own server. */
export type PushContent = {
  readonly title: string;
  readonly body: string;
  /** A notification takes the place of another with the same tag. */
  readonly tag: string;
  readonly path: string;
  /** It makes no sound: nobody has to act. */
  readonly silent: boolean;
  readonly actions: readonly PushAction[];
  /** What proves that the device is its owner's. */
  readonly proof?: { readonly contact_id: string; readonly code: string };
};
export type PushAction = { readonly action: string; readonly title: string; readonly path: string };

/** Before a subscription in the address of a contact: other ways to devices have other words. */
const PREFIX = 'web:';

/** As the address of a contact has it. */
export const subscriptionAddress = (subscription: object): string =>
  `${PREFIX}${JSON.stringify(subscription)}`;

/** Where ntfy takes messages for somebody: whoever knows it can read them. */
export type NtfyTopic = { readonly server: string; readonly topic: string };

const NTFY_PREFIX = 'ntfy:';

/** As people write it: the server is that of a connection. Long, for it cannot be guessed then. */
export function readTopic(address: string): string | null {
  return /^ntfy:([A-Za-z0-9_-]{16,64})$/.exec(address)?.[1] ?? null;
}

export const topicAddress = ({ server, topic }: NtfyTopic): string =>
  `${NTFY_PREFIX}${server}/${topic}`;

const SHOWN_TOPIC_PREFIX = 'ntfy ·';

/** What is shown of a topic. */
export const topicName = (fingerprint: string): string => `${SHOWN_TOPIC_PREFIX} …${fingerprint}`;

/** Whether what is shown of a device is of a topic, not of a browser. */
export const isTopicName = (shown: string): boolean => shown.startsWith(SHOWN_TOPIC_PREFIX);

export type PushAddress = Subscription | NtfyTopic;

/** Of an address as it is stored; or what is wrong with it. */
export function readPushAddress(address: string): PushAddress | string {
  const [, server, topic] = /^ntfy:(.+)\/([^/]+)$/.exec(address) ?? [];
  return server && topic ? { server, topic } : readSubscription(address);
}

const sizes = { p256dh: 65, auth: 16 } as const;

/** The subscription of an address, without what we have no use for; or what is wrong with it. */
export function readSubscription(address: string): Subscription | string {
  if (!address.startsWith(PREFIX))
    return `must be ${PREFIX} followed by a browser push subscription`;
  const { endpoint, keys } = membersOf(jsonOf(address.slice(PREFIX.length)));
  if (typeof endpoint !== 'string' || URL.parse(endpoint)?.protocol !== 'https:')
    return 'must have an endpoint that begins with https://';
  const { p256dh, auth } = membersOf(keys);
  if (!isKey(p256dh, sizes.p256dh))
    return `must have keys.p256dh, ${sizes.p256dh} bytes in base64url`;
  if (!isKey(auth, sizes.auth)) return `must have keys.auth, ${sizes.auth} bytes in base64url`;
  return { endpoint, keys: { p256dh, auth } };
}

/** Of browsers, some write padding. */
function isKey(key: unknown, size: number): key is string {
  if (typeof key !== 'string') return false;
  const characters = key.replace(/={1,2}$/, '');
  return /^[A-Za-z0-9_-]*$/.test(characters) && characters.length === Math.ceil((size * 4) / 3);
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
