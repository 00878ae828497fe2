// A browser in which push is on subscribes anew where its subscription was lost, or was made for another
// key of the server: else its pages would stop, and nobody would know. What is to be done is read from
// the contacts each time, so that what was cut off goes on with the next page that is loaded.
import { deviceChannel } from '../../resources/channels.ts';
import { pager, readBody } from '../api/pager.ts';
import { queryClient, sessionQuery } from '../api/queries.ts';
import type { Contact } from '../people/queries.ts';
import { contactOf, fingerprintOf, isFor, ownSubscription, subscribe } from './push.ts';

const KEY = 'pager.push';

type Device = { readonly userId: string; readonly contactId: string };

/** Null: push is off. */
export function rememberDevice(device: Device | null): void {
  if (device === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, JSON.stringify(device));
}

/** With each page that is loaded, and again when the service worker has proved a contact. */
export function keepSubscribed(): void {
  const worker = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (worker === undefined) return;
  // Of several tabs that are loaded at once, one subscribes and the others find it done.
  const renew = () => void navigator.locks.request(KEY, renewSubscription).catch(() => {});
  worker.addEventListener('message', renew);
  renew();
}

async function renewSubscription(): Promise<void> {
  const stored = localStorage.getItem(KEY);
  if (stored === null || Notification.permission !== 'granted') return;
  // As it was written.
  const device: Device = JSON.parse(stored);
  const { user } = await queryClient.ensureQueryData(sessionQuery);
  if (user.id !== device.userId) return;
  const path = `/users/${device.userId}/contacts`;
  const { public_key } = await readBody<{ readonly public_key: string }>('/push/key');
  const { data: contacts } = await readBody<{ data: readonly Contact[] }>(path);
  const own = await ownSubscription();
  const isOurs = own !== null && isFor(own, public_key);
  const current = isOurs ? contactOf(await fingerprintOf(own.endpoint), contacts) : undefined;
  const before = contacts.find(({ id }) => id === device.contactId);
  const send = (method: 'POST' | 'DELETE', at: string, body: object) =>
    pager.client.send({ method, path: at, body });

  if (current === undefined || current.state !== undefined) {
    // It was removed elsewhere, and is not to come back.
    if (before === undefined) return rememberDevice(null);
    const subscription = await subscribe(public_key);
    if (typeof subscription === 'string') return;
    const address = `web:${JSON.stringify(subscription)}`;
    const made = await send('POST', path, { channel: deviceChannel, address });
    if (made.ok) await send('POST', `${path}/${made.body['id']}/code`, {});
  } else if (!current.verified) {
    await send('POST', `${path}/${current.id}/code`, {});
  } else if (current.id !== device.contactId) {
    // Only now: until then the one before may still have the pages.
    if (before !== undefined && !(await send('DELETE', `${path}/${before.id}`, {})).ok) return;
    rememberDevice({ ...device, contactId: current.id });
  } else return;
  await queryClient.invalidateQueries({ queryKey: ['push-here'] });
  await queryClient.invalidateQueries({ queryKey: ['users'] });
}
