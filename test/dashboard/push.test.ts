// Push in the real browser: its service worker gets what the server encrypted for it. Only the browser's
// own connection to its maker is stood in for, which there is none of here.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { BrowserContext, Page, Worker } from 'playwright-core';
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
  /** Has the service worker get what came for the browser since. */
  deliver(): Promise<void>;
  shown(): Promise<readonly Shown[]>;
  press(action: string): Promise<void>;
};
type Shown = { title: string; body: string; tag: string; actions: string[] };

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
  return {
    browser,
    async deliver() {
      await eventually('a push came', async () => browser().received.length > delivered);
      const { content } = browser().received[delivered] ?? assert.fail();
      delivered += 1;
      const data = JSON.stringify(content);
      await devtools.send('ServiceWorker.deliverPushMessage', {
        ...{ origin: baseURL, registrationId, data },
      });
    },
    shown: () =>
      page.evaluate(`navigator.serviceWorker.ready
        .then((registration) => registration.getNotifications())
        .then((all) => all.map(({ title, body, tag, actions }) =>
          ({ title, body, tag, actions: actions.map((one) => one.title) })))`),
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

test('push is switched on by one press, pages a phone, and its button acknowledges', { skip }, () =>
  stage.story({ ...phone, baseURL }, async ({ page, context, open }) => {
    const device = await deviceOf(context, page);
    await open('/me');
    const section = page.getByRole('region', { name: 'Push on this device' });
    await section.getByRole('button', { name: 'Switch on push' }).tap();
    await section.getByText('A push was sent to this device').waitFor();
    await device.deliver();
    await section.getByText('Push is on.', { exact: true }).waitFor();
    await checkShown(page);
    const { fingerprint } = device.browser();
    const contacts = page.getByRole('region', { name: 'Contacts' });
    const row = contacts.getByRole('listitem').filter({ hasText: fingerprint });
    await row.getByText('Verified').waitFor();
    assert.match((await row.textContent()) ?? '', /Chrome on .* · …/);

    const { api } = stage.server;
    const number = await stage.alert('The till is down');
    await device.deliver();
    const notifications = () => device.shown();
    const ofIncident = async () =>
      (await notifications()).find(({ tag }) => tag.startsWith('inc-'));
    await eventually('it is shown', async () => (await ofIncident()) !== undefined);
    const before = await ofIncident();
    assert.deepEqual(
      [before?.title, before?.actions],
      [`INC-${number} The till is down`, ['Acknowledge', 'Resolve']],
    );
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

test(
  'a subscription that is lost is made anew with the next page; one that is gone is shown',
  {
    skip,
  },
  () =>
    stage.story({ ...phone, baseURL }, async ({ page, context, open, expectError }) => {
      const device = await deviceOf(context, page);
      await open('/me');
      const section = page.getByRole('region', { name: 'Push on this device' });
      await section.getByRole('button', { name: 'Switch on push' }).tap();
      await section.getByText('A push was sent to this device').waitFor();
      await device.deliver();
      await section.getByText('Push is on.', { exact: true }).waitFor();
      const first = device.browser();
      await page.evaluate(`localStorage.removeItem('test.subscription')`);
      await page.reload();
      await eventually('it subscribes', async () => device.browser() !== first);
      await device.deliver();
      await section.getByText('Push is on.', { exact: true }).waitFor();
      const contacts = page.getByRole('region', { name: 'Contacts' });
      await contacts.getByText(first.fingerprint).waitFor({ state: 'detached' });

      device.browser().answer = { status: 410 };
      const number = await stage.alert('Nobody gets it');
      const { api } = stage.server;
      await eventually('it has failed', async () =>
        JSON.stringify((await api.send(`GET /incidents/${number}/timeline`)).body).includes(
          '(410)',
        ),
      );
      await page.reload();
      await section.getByText('Push has ended on this device').waitFor();
      await contacts.getByText('Its push service answered 410.').waitFor();
      await checkShown(page);
      expectError(/503/);
      await section.getByRole('button', { name: 'Switch on push' }).tap();
      await section.getByText('A push was sent to this device').waitFor();
      await device.deliver();
      await section.getByText('Push is on.', { exact: true }).waitFor();
      await section.getByRole('button', { name: 'Switch off push' }).tap();
      await section.getByText('Push is off on this device.').waitFor();
      const { fingerprint } = device.browser();
      await contacts.getByText(fingerprint).waitFor({ state: 'detached' });
    }),
);
