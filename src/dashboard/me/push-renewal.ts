// A browser in which push is on subscribes anew where its subscription was lost, or was made for another
// key of the server: else its pages would stop, and nobody would know.
import { pager } from '../api/pager.ts';
import { queryClient, sessionQuery } from '../api/queries.ts';
import { isFor, ownSubscription, subscribe } from './push.ts';

const KEY = 'pager.push';

type Device = { readonly userId: string; readonly contactId: string };

/** Null: push is off. */
export function rememberDevice(device: Device | null): void {
  if (device === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, JSON.stringify(device));
}

/** What fails is tried with the next page that is loaded. */
export async function renewSubscription(): Promise<void> {
  const stored = localStorage.getItem(KEY);
  if (stored === null || Notification.permission !== 'granted') return;
  // As it was written.
  const device: Device = JSON.parse(stored);
  const { user } = await queryClient.ensureQueryData(sessionQuery);
  if (user.id !== device.userId) return;
  const path = `/users/${device.userId}/contacts`;
  const read = await pager.client.send({ method: 'GET', path: '/push/key' });
  if (!read.ok) return;
  const key = String(read.body['public_key']);
  const own = await ownSubscription();
  if (own !== null && isFor(own, key)) return;
  const subscription = await subscribe(key);
  if (subscription === null) return;
  const address = `web:${JSON.stringify(subscription)}`;
  const body = { channel: 'push-notification', address };
  const made = await pager.client.send({ method: 'POST', path, body });
  if (!made.ok) return;
  const contactId = String(made.body['id']);
  rememberDevice({ ...device, contactId });
  await pager.client.send({ method: 'POST', path: `${path}/${contactId}/code`, body: {} });
  await pager.client.send({ method: 'DELETE', path: `${path}/${device.contactId}` });
}
