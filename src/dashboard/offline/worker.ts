// The service worker: in place of a page that cannot be loaded it answers one that says so, and tries
// again. It keeps nothing, since a stale page would lock people out, and sees no request of the API.
// Pushes come to it too.
import './push.ts';
import './renewal.ts';

declare const OFFLINE: { readonly page: string; readonly policy: string };

type Installing = Event & {
  // Not in all browsers.
  addRoutes?(route: { condition: object; source: 'network' }): Promise<void>;
};
type Activating = Event & { waitUntil(promise: Promise<unknown>): void };
type Fetching = Event & {
  readonly request: Request;
  readonly preloadResponse: Promise<Response | undefined>;
  respondWith(response: Promise<Response>): void;
};
type WorkerScope = {
  readonly registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
};
const { registration, skipWaiting } = globalThis as unknown as WorkerScope;

addEventListener('install', (event) => {
  void skipWaiting();
  // All else does not even start the worker.
  const condition = { not: { requestMode: 'navigate' } };
  void (event as Installing).addRoutes?.({ condition, source: 'network' });
});

// A page does not wait for the worker to start.
addEventListener('activate', (event) =>
  (event as Activating).waitUntil(registration.navigationPreload.enable()),
);

addEventListener('fetch', (event) => {
  const fetching = event as Fetching;
  const { mode, method, url } = fetching.request;
  if (mode !== 'navigate' || method !== 'GET' || new URL(url).pathname.startsWith('/api/')) return;
  fetching.respondWith(loaded(fetching).catch(offline));
});

const loaded = async ({ request, preloadResponse }: Fetching): Promise<Response> =>
  (await preloadResponse) ?? fetch(request);

const offline = (): Response =>
  new Response(OFFLINE.page, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': OFFLINE.policy,
      'cache-control': 'no-store',
    },
  });
