// What the service worker does with pushes. Each shows a notification, always: browsers take the
// permission back otherwise. Its buttons act at the server, and what that answers is shown.
import type { PushAction, PushContent } from '../../resources/push.ts';
import { sessionHere } from './session.ts';
import { words } from './words.ts';

/** Of the build: where the icon is. */
declare const ICON: string;

type Pushed = ExtendedEvent & { readonly data: { json(): PushContent } | null };
type Clicked = ExtendedEvent & { readonly notification: Notification; readonly action: string };
type ExtendedEvent = Event & { waitUntil(promise: Promise<unknown>): void };
type OpenWindow = {
  readonly url: string;
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
};
type Scope = {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: {
      type: 'window';
      includeUncontrolled: true;
    }): Promise<readonly OpenWindow[]>;
    openWindow(path: string): Promise<unknown>;
  };
};
const { registration, clients } = globalThis as unknown as Scope;

const ANSWER_MS = 20_000;

addEventListener('push', (event) => {
  const { data } = event as Pushed;
  (event as Pushed).waitUntil(received(contentOf(data)));
});

addEventListener('notificationclick', (event) => {
  const { notification, action } = event as Clicked;
  // As we put it there.
  const content = notification.data as PushContent;
  const pressed = content.actions.find((one) => one.action === action);
  (event as Clicked).waitUntil(
    pressed === undefined ? opened(notification, content.path) : act(content, pressed),
  );
});

/** One that cannot be read is shown all the same. */
function contentOf(data: Pushed['data']): PushContent {
  try {
    if (data !== null) return data.json();
  } catch {}
  return { ...words.unreadable, tag: 'unreadable', path: '/', silent: false, actions: [] };
}

async function received(content: PushContent): Promise<void> {
  await show(content);
  if (content.proof === undefined) return;
  const failure = await prove(content.proof);
  if (failure !== null) return show({ ...content, body: failure });
  for (const one of await windows()) one.postMessage('contacts');
}

function show(content: PushContent): Promise<void> {
  const { title, body, tag, silent, actions } = content;
  const options = {
    body,
    tag,
    silent,
    icon: ICON,
    data: content,
    // What takes the place of another rings again, unless it is silent.
    renotify: !silent,
    // A page stays until somebody has seen it; what takes its place silently says who has.
    requireInteraction: actions.length > 0 && (!silent || actions.some(isAcknowledge)),
    actions: actions.map(({ action, title: label }) => ({ action, title: label })),
  };
  return registration.showNotification(title, options);
}

const isAcknowledge = ({ action }: PushAction) => action === 'acknowledge';

type Proof = NonNullable<PushContent['proof']>;

/** In the session of whoever switched push on in this browser. Else what to do. */
async function prove({ contact_id, code }: Proof): Promise<string | null> {
  try {
    const session = await sessionHere();
    if (session instanceof Response) return failureOf(session);
    const answer = await session.send(`${session.path}/${contact_id}/verify`, { code });
    return answer.ok ? null : failureOf(answer);
  } catch {
    return words.unproved;
  }
}

/** Of no session, or of one in which the contact is somebody else's. */
const failureOf = ({ status }: Response) =>
  status === 401 || status === 404 ? words.signedOut : words.unproved;

/** Buttons of what is still to be done stay. */
async function act(content: PushContent, { action, path }: PushAction): Promise<void> {
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const { text, status, message } = await answer.json();
    if (!answer.ok) return show({ ...content, body: message });
    const left = content.actions.filter((one) => one.action !== action);
    const actions = status === 'resolved' ? [] : left;
    await show({ ...content, body: text, silent: true, actions });
  } catch {
    await show({ ...content, body: words.unknown });
  }
}

/** In the window that shows it already, else in a new one: others may hold what somebody types. */
async function opened(notification: Notification, path: string): Promise<void> {
  notification.close();
  const there = (await windows()).find(({ url }) => new URL(url).pathname === path);
  await (there ? there.focus() : clients.openWindow(path));
}

const windows = () => clients.matchAll({ type: 'window', includeUncontrolled: true });
