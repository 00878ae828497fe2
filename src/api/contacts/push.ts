// Devices that take pushes: the key that they subscribe with, and the contact that each becomes.
import { createECDH, createHash } from 'node:crypto';
import { accessLimits } from '../../limits/access.ts';
import { isDeviceChannel } from '../../resources/channels.ts';
import { ntfy, ntfyServerOf } from '../../resources/connections/ntfy.ts';
import { objectOf, text } from '../../resources/declaration/field.ts';
import {
  isTopicName,
  readSubscription,
  readTopic,
  subscriptionAddress,
  topicAddress,
  topicName,
} from '../../resources/push.ts';
import { listConnections } from '../../storage/connections/connections.ts';
import { sealedSubscriptionAt } from '../../storage/people/push-devices.ts';
import { listSessions } from '../../storage/people/sessions.ts';
import { invalid } from '../failures.ts';
import { deviceOf } from '../people/device.ts';
import { type PeopleParts, route } from '../people/writing.ts';
import { type Call, ok, type Route } from '../route.ts';

const keyShape = objectOf(
  {
    public_key: text({
      doc: 'The key for `applicationServerKey`: 65 bytes in base64url.',
    }),
  },
  'The public key for browser push subscriptions.',
);

export const pushRoutes = ({ pushKey }: PeopleParts): Route[] => [
  route('GET /push/key', 'viewer', {
    tag: 'users',
    doc: 'Returns the public key of this server for push services (VAPID). It never changes.',
    answers: { status: 200, schema: keyShape },
    handle: async () => ok({ public_key: pushKey }),
  }),
];

/** Of a contact whose address is a subscription or a topic: what is shown of it, and how it is stored. */
export function deviceContact(parts: PeopleParts, call: Call, written: string) {
  return written.startsWith('ntfy:')
    ? ntfyContact(parts, call, written)
    : browserContact(parts, call, written);
}

async function ntfyContact(parts: PeopleParts, call: Call, written: string) {
  const topic = readTopic(written);
  if (topic === null) throw new Error('an address was not held to its schema');
  const { sql, secrets } = parts;
  const { organizationId } = call.caller;
  const connections = await listConnections(sql, { organizationId, archived: false });
  const connection = connections.find(({ vendor, enabled }) => vendor === ntfy.vendor && enabled);
  if (connection === undefined)
    throw invalid([{ path: 'address', message: 'requires a channel connection to ntfy' }]);
  const address = topicAddress({ server: ntfyServerOf(connection.settings), topic });
  return {
    address: topicName(fingerprintOf(address)),
    subscription: (id: string) => secrets.seal(address, sealedSubscriptionAt(organizationId, id)),
  };
}

async function browserContact(parts: PeopleParts, call: Call, written: string) {
  const subscription = readSubscription(written);
  if (typeof subscription === 'string') throw invalid([{ path: 'address', message: subscription }]);
  if (!isPublicKey(Buffer.from(subscription.keys.p256dh, 'base64url')))
    throw invalid([{ path: 'address', message: 'must contain a P-256 key' }]);
  const { sql, secrets } = parts;
  const { organizationId } = call.caller;
  return {
    address: `${await browserName(sql, call)} · …${fingerprintOf(subscription.endpoint)}`,
    subscription: (id: string) =>
      secrets.seal(subscriptionAddress(subscription), sealedSubscriptionAt(organizationId, id)),
  };
}

/** The browser computes the same, to know which contact it is. */
const fingerprintOf = (endpoint: string): string =>
  createHash('sha256').update(endpoint).digest('hex').slice(0, 8);

/** Whether two addresses, as they are shown, are one device: a browser may have a new name. */
export const isSameDevice = (one: string, other: string): boolean =>
  one.split('…')[1] === other.split('…')[1];

/** By the session in which it is added. */
async function browserName(sql: PeopleParts['sql'], { caller, now }: Call): Promise<string> {
  if (caller.sessionId === undefined) return 'Browser';
  const listing = { userId: caller.id, now, limit: accessLimits.sessionsListed };
  const session = (await listSessions(sql, listing)).find(({ id }) => id === caller.sessionId);
  return deviceOf(session?.user_agent ?? '') ?? 'Browser';
}

/** Browsers have pushes only where nobody can read along, or on their own machine. Null: they have. */
export function reasonAgainstBrowsers(publicUrl: string): string | null {
  const { protocol, hostname } = new URL(publicUrl);
  const isOwn = /^(localhost|.+\.localhost|127\.[0-9.]+|\[::1\])$/.test(hostname);
  if (protocol === 'https:' || isOwn) return null;
  return `Browsers accept pushes only over https or on localhost, but PAGER_PUBLIC_URL is ${publicUrl}.`;
}

/** Null: a connection publishes to topics of ntfy. */
export const reasonAgainstTopics = (
  connections: readonly { readonly vendor: string; readonly enabled: boolean }[],
): string | null =>
  connections.some(({ vendor, enabled }) => vendor === ntfy.vendor && enabled)
    ? null
    : 'No channel connection to ntfy is set up.';

/**
 * Why nothing was sent to a contact, for its person. A browser names its own push service, which may
 * be any server of this network: what answered there is in the log only.
 */
export const unsentText = ({ channel, address }: Addressed, reason: string): string =>
  isDeviceChannel(channel) && !isTopicName(address) ? 'its push service did not accept it' : reason;

type Addressed = { readonly channel: string; readonly address: string };

/** Whether a browser's key is a point of the curve: to another nothing can be encrypted. */
function isPublicKey(key: Uint8Array): boolean {
  const own = createECDH('prime256v1');
  own.generateKeys();
  try {
    return own.computeSecret(key).length > 0;
  } catch {
    return false;
  }
}
