// Push in the real browser: its service worker gets what the server encrypted for it. Only the browser's
// own connection to its maker is stood in for, which there is none of here.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { BrowserContext, Locator, Page, Worker } from 'playwright-core';
import { type PushService, startPushService, type TestBrowser } from '../push-service.ts';
import { eventually } from '../system/eventually.ts';
import { freePort } from '../system/free-port.ts';
import { checkShown, noBrowser, phone, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let stage: Stage;
let service: PushService;
let baseURL = '';

before(async () => {
  if (skip) return;
  service = await startPushService(() => Temporal.Now.instant());
  const port = await freePort();
  baseURL = `http://localhost:${port}`;
  const at = { PAGER_LISTEN: `127.0.0.1:${port}`, PAGER_PUBLIC_URL: baseURL };
  stage = await startStage({ ...at, PAGER_ALLOW_NETWORKS: '127.0.0.0/8' });
  const { api } = stage.server;
  const [owner] = await api.list('users');
  const [{ id: policy }] = (await api.list('escalation-policies')) as [{ id: string }];
  const steps = [{ targets: [{ via: 'push-notification', user_id: owner.id }] }];
  assert.equal((await api.send(`PATCH /escalation-policies/${policy}`, { steps })).status, 200);
});
after(async () => {
  await stage?.[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});

/** What the browser keeps of its subscription. */
const standIn = `{
  const KEY = 'test.subscription';
  const bytes = (text) => Uint8Array.from(
    atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
  const own = () => {
    const stored = localStorage.getItem(KEY);
    if (stored === null) return null;
    const { key, subscription } = JSON.parse(stored);
    return {
      endpoint: subscription.endpoint,
      options: { applicationServerKey: bytes(key).buffer },
      toJSON: () => subscription,
      unsubscribe: async () => localStorage.removeItem(KEY),
    };
  };
  PushManager.prototype.getSubscription = async () => own();
  PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => {
    const subscription = await testSubscribe(key);
    localStorage.setItem(KEY, JSON.stringify({ key, subscription }));
    return own();
  };
}`;

type Device = {
  /** The last that subscribed. */
  browser(): TestBrowser;
  /** Has the service worker get what came for the browser since, once something did. */
  deliver(): Promise<void>;
  /** The same, if anything did. */
  takeRest(): Promise<void>;
  /** Has it get the last that came once more. */
  takeAgain(): Promise<void>;
  /** What came for the browser, for a message. */
  came(): string;
  /** Loses the first that came. */
  skip(): void;
  /** Has the service worker get this. */
  take(content: object): Promise<void>;
  /** What the service worker's requests answer from now on: an expression. */
  answering(answer: string): Promise<void>;
  /** The browser renews its subscription by itself. */
  renew(): Promise<void>;
  shown(): Promise<readonly Shown[]>;
  press(action: string): Promise<void>;
};
type Shown = {
  title: string;
  body: string;
  tag: string;
  actions: string[];
  requireInteraction: boolean;
};

async function deviceOf(context: BrowserContext, page: Page): Promise<Device> {
  const browsers: TestBrowser[] = [];
  let delivered = 0;
  await context.grantPermissions(['notifications']);
  await context.exposeFunction('testSubscribe', (key: string) => {
    const browser = service.browser(key);
    browsers.push(browser);
    delivered = 0;
    return browser.subscription;
  });
  await context.addInitScript(standIn);
  const devtools = await context.newCDPSession(page);
  let registrationId = '';
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    registrationId = registrations.find(({ isDeleted }) => !isDeleted)?.registrationId ?? '';
  });
  await devtools.send('ServiceWorker.enable');
  const browser = () => browsers.at(-1) ?? assert.fail('nothing has subscribed');
  const worker = (): Worker => context.serviceWorkers()[0] ?? assert.fail('there is no worker');
  const take = async (content: object) => {
    const data = JSON.stringify(content);
    await devtools.send('ServiceWorker.deliverPushMessage', {
      origin: baseURL,
      registrationId,
      data,
    });
  };
  const takeRest = async () => {
    for (const { content } of browser().received.slice(delivered)) {
      delivered += 1;
      await take(content);
    }
  };
  return {
    browser,
    async deliver() {
      await eventually('a push came', async () => browser().received.length > delivered);
      await takeRest();
    },
    takeRest,
    async takeAgain() {
      const last = browser().received.at(-1);
      if (last !== undefined) await take(last.content);
    },
    came: () => `it is shown, of ${JSON.stringify(browser().received)}`,
    skip() {
      delivered += 1;
    },
    take,
    async renew() {
      const { endpoint } = browser().subscription;
      const { public_key } = (await stage.server.api.send('GET /push/key')).body;
      await page.evaluate(`navigator.serviceWorker.ready.then(({ pushManager }) =>
        pushManager.subscribe({ applicationServerKey: '${public_key}' })).then(() => {})`);
      const { subscription } = browser();
      await worker().evaluate(`(async () => {
        const subscription = ${JSON.stringify(subscription)};
        const event = Object.assign(new ExtendableEvent('pushsubscriptionchange'), {
          oldSubscription: { endpoint: '${endpoint}' },
          newSubscription: { endpoint: subscription.endpoint, toJSON: () => subscription },
        });
        // Of an event that no browser made, nothing waits.
        let ended;
        Object.defineProperty(event, 'waitUntil', { value: (promise) => { ended = promise; } });
        dispatchEvent(event);
        await ended;
      })()`);
    },
    answering: (answer) => worker().evaluate(`void (globalThis.fetch = async () => ${answer})`),
    shown: () =>
      page.evaluate(`navigator.serviceWorker.ready
        .then((registration) => registration.getNotifications())
        .then((all) => all.map(({ title, body, tag, actions, requireInteraction }) =>
          ({ title, body, tag, requireInteraction, actions: actions.map((one) => one.title) })))`),
    press: (action) =>
      worker().evaluate(`(async () => {
        const [notification] = await registration.getNotifications();
        const event = new NotificationEvent('notificationclick', {
          notification, action: ${JSON.stringify(action)},
        });
        // Of an event that no person made, nothing waits.
        let ended;
        Object.defineProperty(event, 'waitUntil', { value: (promise) => { ended = promise; } });
        dispatchEvent(event);
        await ended;
      })()`),
  };
}

const on = (section: Locator) => section.getByText('Push is on.', { exact: true });

async function switchOn(device: Device, page: Page): Promise<Locator> {
  const section = page.getByRole('region', { name: 'Push on this device' });
  await section.getByRole('button', { name: 'Turn on push' }).tap();
  await section.getByText('A notification was sent to this device').waitFor();
  await eventually('its words have the focus', () =>
    section.getByRole('status').evaluate((words) => words.matches(':focus')),
  );
  await device.deliver();
  await on(section).waitFor();
  return section;
}

test('push is switched on by one press, pages a phone, and its button acknowledges', { skip }, () =>
  stage.story({ ...phone, baseURL }, async ({ page, context, open }) => {
    const device = await deviceOf(context, page);
    await open('/me');
    await switchOn(device, page);
    await checkShown(page);
    const { fingerprint } = device.browser();
    const contacts = page.getByRole('region', { name: 'Contacts' });
    const row = contacts.getByRole('listitem').filter({ hasText: fingerprint });
    await row.getByText(/^Confirmed on /).waitFor();
    assert.match((await row.textContent()) ?? '', /Chrome on .* · …/);

    const { api } = stage.server;
    const number = await stage.alert('The till is down');
    await device.deliver();
    const notifications = () => device.shown();
    const ofIncident = async () =>
      (await notifications()).find(({ tag }) => tag.startsWith('inc-'));
    const isShown = async () => (await ofIncident()) !== undefined;
    await eventually(device.came, async () => {
      await device.takeRest();
      // What a browser has not taken, a push service delivers again; the debugging protocol does
      // not tell what became of a message.
      await eventually(device.came, isShown, 3_000).catch(device.takeAgain);
      return isShown();
    });
    const before = await ofIncident();
    assert.deepEqual(
      [before?.title, before?.actions],
      [`INC-${number} The till is down`, ['Acknowledge', 'Resolve']],
    );
    const changed = device.browser().received.at(-1)?.content;
    await device.take({ ...changed, body: 'Priority p1', silent: true });
    await eventually('it has changed', async () => (await ofIncident())?.body === 'Priority p1');
    assert.equal((await ofIncident())?.requireInteraction, true, 'it stays until somebody acts');
    // The first would else be that of the proof.
    await page.evaluate(`navigator.serviceWorker.ready
      .then((registration) => registration.getNotifications())
      .then((all) => all.filter(({ tag }) => !tag.startsWith('inc-')).forEach((one) => one.close()))`);
    await eventually('one is left', async () => (await notifications()).length === 1);
    await device.press('acknowledge');
    const done = await ofIncident();
    assert.match(done?.body ?? '', /^Acknowledged by owner/i);
    assert.deepEqual(done?.actions, ['Resolve']);
    const { status } = (await api.send(`GET /incidents/${number}`)).body;
    assert.equal(status, 'acknowledged');

    assert.equal((await api.send(`POST /incidents/${number}/resolve`, {})).status, 200);
    await device.press('resolve');
    assert.match((await ofIncident())?.body ?? '', /Resolved by/);
    assert.deepEqual([(await ofIncident())?.actions, service.complaints], [[], []]);
  }),
);

test('a subscription that is lost is made anew, also where that was cut off', { skip }, () =>
  stage.story({ ...phone, baseURL }, async ({ page, context, open }) => {
    const device = await deviceOf(context, page);
    await open('/me');
    const section = await switchOn(device, page);
    const first = device.browser();
    // As if no contact could be made of it.
    const { public_key } = (await stage.server.api.send('GET /push/key')).body;
    await page.evaluate(`navigator.serviceWorker.ready.then(({ pushManager }) =>
      pushManager.subscribe({ applicationServerKey: '${public_key}' })).then(() => {})`);
    const lost = device.browser();
    await page.reload();
    await eventually('it subscribes', async () => device.browser() !== lost);
    await eventually('a push comes', async () => device.browser().received.length === 1);
    // That push is lost, and so another comes with the next page.
    await stage.server.sql`update contact_codes set sent_at = sent_at - interval '2 minutes'`;
    await stage.server.sql`update sends_to_unproved set sent_at = sent_at - interval '2 minutes'`;
    const contacts = page.getByRole('region', { name: 'Contacts' });
    const [before, after] = [first, device.browser()].map(({ fingerprint }) =>
      contacts.getByRole('listitem').filter({ hasText: fingerprint }),
    ) as [Locator, Locator];
    await page.reload();
    await eventually('another comes', async () => device.browser().received.length === 2);
    await after.waitFor();
    await before.getByText(/^Confirmed on /).waitFor();
    device.skip();
    await device.deliver();
    await on(section).waitFor();
    await before.waitFor({ state: 'detached' });
    await after.getByText(/^Confirmed on /).waitFor();
    await section.getByRole('button', { name: 'Turn off push' }).tap();
    await section.getByText('Push is off on this device.').waitFor();
    await after.waitFor({ state: 'detached' });
  }),
);

test(
  'a device that is gone subscribes anew; one that was removed elsewhere stays off',
  { skip },
  () =>
    stage.story({ ...phone, baseURL }, async ({ page, context, open }) => {
      const device = await deviceOf(context, page);
      await open('/me');
      const section = await switchOn(device, page);
      const gone = device.browser();
      gone.answer = { status: 410 };
      const number = await stage.alert('Nobody gets it');
      const { api } = stage.server;
      await eventually('it has failed', async () =>
        JSON.stringify((await api.send(`GET /incidents/${number}/timeline`)).body).includes(
          '(410)',
        ),
      );
      await page.reload();
      await eventually('it subscribes', async () => device.browser() !== gone);
      await device.deliver();
      await on(section).waitFor();
      const contacts = page.getByRole('region', { name: 'Contacts' });
      await contacts.getByText(gone.fingerprint).waitFor({ state: 'detached' });

      const last = device.browser();
      const [owner] = await api.list('users');
      const path = `users/${owner.id}/contacts`;
      const own = (await api.send(`GET /${path}`)).body.data.find(
        ({ address }: { address: string }) => address.endsWith(last.fingerprint),
      );
      await stage.server.sql`delete from contacts where id = ${own.id}`;
      await page.reload();
      await section.getByText('Push is off on this device.').waitFor();
      await eventually(
        'it is forgotten',
        async () => (await page.evaluate(`localStorage.getItem('pager.push')`)) === null,
      );
      assert.equal(device.browser(), last);
    }),
);

test('a browser that renews its subscription by itself goes on being paged', { skip }, () =>
  stage.story({ ...phone, baseURL }, async ({ page, context, open }) => {
    const device = await deviceOf(context, page);
    await open('/me');
    const section = await switchOn(device, page);
    const before = device.browser();
    await device.renew();
    const contacts = page.getByRole('region', { name: 'Contacts' });
    const [old, renewed] = [before, device.browser()].map(({ fingerprint }) =>
      contacts.getByRole('listitem').filter({ hasText: fingerprint }),
    ) as [Locator, Locator];
    await device.deliver();
    await old.waitFor({ state: 'detached' });
    await renewed.getByText(/^Confirmed on /).waitFor();
    await on(section).waitFor();

    // Of a device that was removed meanwhile, nothing is made.
    await section.getByRole('button', { name: 'Turn off push' }).tap();
    await renewed.waitFor({ state: 'detached' });
    await device.renew();
    assert.deepEqual(device.browser().received, []);
  }),
);

test('the worker claims nothing that it cannot know', { skip }, () =>
  stage.story({ ...phone, baseURL }, async ({ page, context, open }) => {
    const device = await deviceOf(context, page);
    await open('/me');
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})');
    const bodyOf = async (tag: string) =>
      (await device.shown()).find((one) => one.tag === tag)?.body ?? '';
    const base = { title: 'Pager', body: 'as sent', path: '/me', silent: true };
    const actions = [{ action: 'acknowledge', title: 'Acknowledge', path: '/l/any' }];
    await device.take({ ...base, tag: 'page', actions });
    await device.answering(`new Response('<h1>Bad gateway</h1>', { status: 502 })`);
    await device.press('acknowledge');
    assert.match(await bodyOf('page'), /to see whether it was done/);
    const proof = { contact_id: 'any', code: '123456' };
    for (const [answer, advice] of [
      ['new Response("{}", { status: 401 })', /Sign in to Pager/],
      ['new Response("{}", { status: 503 })', /press Send again/],
      ['Promise.reject(new TypeError("cut"))', /press Send again/],
    ] as const) {
      await device.answering(answer);
      await device.take({ ...base, tag: 'proof', actions: [], proof });
      await eventually(answer, async () => advice.test(await bodyOf('proof')));
    }
  }),
);

test(
  'a push service that is not reached ends the wait; a late subscription is used',
  { skip },
  () =>
    stage.story({ ...phone, baseURL }, async ({ page, context, open }) => {
      const device = await deviceOf(context, page);
      await page.clock.install();
      await open('/me');
      await page.evaluate(`{
      const { subscribe } = PushManager.prototype;
      PushManager.prototype.subscribe = (options) =>
        new Promise((resolve) => { globalThis.reached = resolve; }).then(() => subscribe(options));
    }`);
      const section = page.getByRole('region', { name: 'Push on this device' });
      const button = section.getByRole('button', { name: 'Turn on push' });
      await button.tap();
      await section.getByRole('button', { name: 'Turning on push…', disabled: true }).waitFor();
      await section.getByRole('status').getByText('Waiting for this browser…').waitFor();
      await page.waitForFunction('globalThis.reached !== undefined');
      await page.clock.fastForward(15_000);
      await section.getByRole('alert').getByText('cannot reach its push service').waitFor();
      await button.waitFor();
      await page.evaluate('reached()');
      await switchOn(device, page);
    }),
);

test('without a service worker switching on ends with the reason', { skip }, () =>
  stage.story(
    { ...phone, baseURL, serviceWorkers: 'block' },
    async ({ page, context, open, expectError }) => {
      expectError(/Service Worker registration blocked/);
      await context.grantPermissions(['notifications']);
      await page.clock.install();
      await open('/me');
      const section = page.getByRole('region', { name: 'Push on this device' });
      const button = section.getByRole('button', { name: 'Turn on push' });
      await button.tap();
      await section.locator('[aria-disabled=true]').waitFor();
      const alert = section.getByRole('alert');
      // No sign says when the page has begun to wait: what is too early is done again.
      await eventually('the reason', async () => {
        await page.clock.fastForward(10_000);
        return alert.isVisible();
      });
      await alert.getByText('service worker').waitFor();
      assert.equal(await button.getAttribute('aria-disabled'), 'false');
    },
  ),
);
