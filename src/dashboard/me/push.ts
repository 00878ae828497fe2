// Pushes to this browser: whether it can take them, and whether they are on.
import type { Contact } from '../people/queries.ts';

/** What this browser says of itself. */
export type PushHere = {
  readonly isKnown: boolean;
  /** Of an iPhone or iPad: only pages on the home screen have pushes. */
  readonly isInSafari: boolean;
  readonly permission: NotificationPermission;
  /** How the contact of its subscription ends, if there is one for this server's key. */
  readonly fingerprint: string | null;
};

export type PushState =
  | { readonly state: 'unknown' | 'home_screen' | 'denied' }
  | { readonly state: 'off' | 'sent' | 'on'; readonly contact: Contact | null };

export function pushState(here: PushHere, contacts: readonly Contact[]): PushState {
  if (!here.isKnown) return { state: here.isInSafari ? 'home_screen' : 'unknown' };
  if (here.permission === 'denied') return { state: 'denied' };
  const { fingerprint } = here;
  const contact =
    contacts.find(
      ({ channel, address }) =>
        channel === 'push-notification' && fingerprint !== null && address.endsWith(fingerprint),
    ) ?? null;
  if (contact === null || contact.state !== undefined) return { state: 'off', contact };
  return { state: contact.verified ? 'on' : 'sent', contact };
}

/** `key`: the server's. */
export async function pushHere(key: string): Promise<PushHere> {
  const isKnown =
    'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;
  // An iPad calls itself a Mac, which has no screen to touch.
  const isTouched = /\bMac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1;
  const isInSafari = /\b(iPhone|iPad)\b/.test(navigator.userAgent) || isTouched;
  if (!isKnown) return { isKnown, isInSafari, permission: 'default', fingerprint: null };
  const subscription = await ownSubscription();
  const isOurs = subscription !== null && isFor(subscription, key);
  const fingerprint = isOurs ? await fingerprintOf(subscription.endpoint) : null;
  return { isKnown, isInSafari, permission: Notification.permission, fingerprint };
}

/** In place of the one before, which may be somebody else’s. Null: the browser has refused. */
export async function subscribe(key: string): Promise<PushSubscription | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  await (await ownSubscription())?.unsubscribe();
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  return pushManager.subscribe(options).catch(() => null);
}

export const unsubscribe = async (): Promise<void> =>
  void (await (await ownSubscription())?.unsubscribe());

export async function ownSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** One for another key gets nothing from this server. */
export function isFor({ options }: PushSubscription, key: string): boolean {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === key;
}

/** As the API computes it. */
async function fingerprintOf(endpoint: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'));
  return hex.join('').slice(0, 8);
}
