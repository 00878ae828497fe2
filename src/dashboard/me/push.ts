// Pushes to this browser: whether it can take them, and whether they are on.
import { isDeviceChannel } from '../../resources/channels.ts';
import type { Contact } from '../people/queries.ts';

const WORKER_MS = 10_000;
/** Browsers try for most of a minute where their push service cannot be reached. */
const SUBSCRIBE_MS = 15_000;

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
  const contact = (fingerprint !== null && contactOf(fingerprint, contacts)) || null;
  if (contact === null || contact.state !== undefined) return { state: 'off', contact };
  return { state: contact.verified ? 'on' : 'sent', contact };
}

export const contactOf = (fingerprint: string, contacts: readonly Contact[]): Contact | undefined =>
  contacts.find(
    ({ channel, address }) => isDeviceChannel(channel) && address.endsWith(fingerprint),
  );

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

/** Why there is no subscription: the browser's refusal, or a service worker that is not there. */
export type NotSubscribed = 'refused' | 'no_worker';

type Subscribed = PushSubscription | NotSubscribed;

export async function subscribe(key: string): Promise<Subscribed> {
  if ((await Notification.requestPermission()) !== 'granted') return 'refused';
  return subscribeInTime(key, () => subscribeBrowser(key));
}

/**
 * Asks one question at a time, and refuses once the time is up. A subscription that comes later is not
 * lost: whoever asks next for the same key gets it.
 */
export function inTime(timeUp: () => Promise<null>) {
  let open: { readonly key: string; readonly answer: Promise<Subscribed> } | null = null;
  return async (key: string, request: () => Promise<Subscribed>): Promise<Subscribed> => {
    const answer = open?.key === key ? open.answer : request();
    const close = () => {
      if (open?.answer === answer) open = null;
    };
    if (open?.answer !== answer) {
      open = { key, answer };
      // A late failure is no answer for the next: by then the browser may be online.
      answer.then((came) => typeof came === 'string' && close(), close);
    }
    const came = await Promise.race([answer, timeUp()]);
    if (came !== null) close();
    return came ?? 'refused';
  };
}

const after = (ms: number) => new Promise<null>((resolve) => setTimeout(resolve, ms, null));

const subscribeInTime = inTime(() => after(SUBSCRIBE_MS));

/** In place of the subscription before, which may be somebody else’s. */
async function subscribeBrowser(key: string): Promise<Subscribed> {
  // Where the worker could not be registered, it is never ready.
  const timeUp = after(WORKER_MS);
  await (await ownSubscription())?.unsubscribe();
  const registration = await Promise.race([navigator.serviceWorker.ready, timeUp]);
  if (registration === null) return 'no_worker';
  const options = { userVisibleOnly: true, applicationServerKey: key };
  return registration.pushManager.subscribe(options).catch(() => 'refused' as const);
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
export async function fingerprintOf(endpoint: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'));
  return hex.join('').slice(0, 8);
}
