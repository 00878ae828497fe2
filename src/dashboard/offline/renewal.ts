// A browser that renews its subscription by itself is added as a device anew, and proved by a push: the
// next page that is loaded removes the one before.
import { sessionHere } from './session.ts';

/** Of src/resources/channels.ts. The worker is one file, so it imports nothing that the dashboard imports too. */
declare const DEVICE_CHANNEL: string;

type Subscription = Pick<PushSubscription, 'endpoint' | 'toJSON'>;
/** Browsers leave out what they do not know. */
type Change = Event & {
  readonly oldSubscription?: Subscription | null;
  readonly newSubscription?: Subscription | null;
  waitUntil(promise: Promise<unknown>): void;
};
type Contact = { readonly channel: string; readonly address: string };

const { registration } = globalThis as unknown as {
  readonly registration: ServiceWorkerRegistration;
};

/** That of pages, which subscribe anew, too. */
const LOCK = 'pager.push';

addEventListener('pushsubscriptionchange', (event) => {
  const change = event as Change;
  change.waitUntil(navigator.locks.request(LOCK, () => renew(change)));
});

async function renew({ oldSubscription, newSubscription }: Change): Promise<void> {
  const session = await sessionHere();
  if (!oldSubscription || session instanceof Response) return;
  const contacts: readonly Contact[] = (await read(session.path)).data;
  const fingerprint = await fingerprintOf(oldSubscription.endpoint);
  // One that was removed is not to come back, nor is one of somebody else.
  const isOn = contacts.some(
    ({ channel, address }) => channel === DEVICE_CHANNEL && address.endsWith(fingerprint),
  );
  if (!isOn) return;
  const subscription = newSubscription ?? (await subscribe());
  const address = `web:${JSON.stringify(subscription)}`;
  const made = await session.send(session.path, { channel: DEVICE_CHANNEL, address });
  if (made.ok) await session.send(`${session.path}/${(await made.json()).id}/code`, {});
}

async function subscribe(): Promise<Subscription> {
  const { public_key } = await read('/api/v1/push/key');
  const options = { userVisibleOnly: true, applicationServerKey: public_key };
  return registration.pushManager.subscribe(options);
}

const read = async (path: string) =>
  (await fetch(path, { headers: { accept: 'application/json' } })).json();

/** As the API computes it. A worker shares no file with pages. */
async function fingerprintOf(endpoint: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'));
  return hex.join('').slice(0, 8);
}
