// Browser push, from the alert to the device: to all of a person's, and acted on from one of them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { type PushService, startPushService } from '../push-service.ts';
import { postJson, request } from './api-client.ts';
import { eventually } from './eventually.ts';
import { type InProcess, startInProcess } from './in-process.ts';
import { signIn } from './sign-in.ts';

const password = 'a password of the owner';

let service: PushService;
let server: InProcess;
let hook = '';
let owner = '';

before(async () => {
  service = await startPushService(() => Temporal.Now.instant());
  const settings = { PAGER_ALLOW_NETWORKS: '127.0.0.0/8', PAGER_BOOTSTRAP_PASSWORD: password };
  server = await startInProcess(await anyDatabase(), settings);
  const { api } = server;
  [{ id: owner }] = (await api.list('users')) as [{ id: string }];
  const [first] = await api.list('integrations');
  const policy = await api.create('escalation-policies', {
    name: 'Push',
    steps: [
      { targets: [{ via: 'push-notification', user_id: owner }], escalate_after_minutes: 5 },
      { targets: [{ via: 'push-notification', user_id: owner }] },
    ],
  });
  const own = { service_id: first.service_id, escalation_policy_id: policy.id };
  ({ webhook_url: hook } = await api.create('integrations', { slug: 'webhook', ...own }));
});
after(async () => {
  await server?.[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});

/** Of the owner, as if its service worker had sent its code back. */
async function device() {
  const { public_key } = (await server.api.send('GET /push/key')).body;
  const browser = service.browser(public_key);
  const { id } = await server.api.create(`users/${owner}/contacts`, {
    channel: 'push-notification',
    address: `web:${JSON.stringify(browser.subscription)}`,
  });
  await server.sql`update contacts set verified_at = now() where id = ${id}`;
  return { ...browser, id, browser };
}

/** A person removes theirs; no key does. */
async function remove(devices: readonly { readonly id: string }[]): Promise<void> {
  const session = await signIn(server, password);
  for (const { id } of devices)
    assert.equal((await session(`DELETE /users/${owner}/contacts/${id}`)).status, 200);
}

async function alert(fields: object): Promise<number> {
  const { body } = await postJson(hook, fields);
  return body.alerts[0].incident;
}

const timeline = async (number: number): Promise<{ type: string; text: string }[]> =>
  (await server.api.send(`GET /incidents/${number}/timeline?limit=200`)).body.data;

test('a page goes to every device, a button of one acknowledges, and all show that and the end', async () => {
  const devices = [await device(), await device()];
  const number = await alert({ title: 'disk full', dedup_key: 'disk' });
  await eventually('both have it', async () =>
    devices.every(({ received }) => received.length > 0),
  );
  for (const { received } of devices) {
    const [{ headers, content } = assert.fail()] = received;
    assert.equal(headers['ttl'], '300', 'until the next step');
    assert.equal(content.title, `INC-${number} disk full`);
    assert.deepEqual(
      content.actions.map(({ action }) => action),
      ['acknowledge', 'resolve'],
    );
    assert.equal(content.path, `/incidents/${number}`);
  }
  const topics = new Set(devices.map(({ received }) => received[0]?.headers['topic']));
  assert.equal(topics.size, 1);
  const [handle = ''] = devices.map(({ received }) => received[0]?.content.actions[0]?.path ?? '');
  const pressed = await request(server.url + handle, {
    method: 'POST',
    headers: { accept: 'application/json' },
  });
  assert.equal(pressed.body.status, 'acknowledged', JSON.stringify(pressed.body));
  const [entry] = (await timeline(number)).filter(({ type }) => type === 'acknowledged');
  assert.match(JSON.stringify(entry), /"via":"push"/);
  const shown = (title: string, count: number, pattern: RegExp, labels: readonly string[]) =>
    eventually(title, async () => {
      return devices.every(({ received: [page, ...edits] }) => {
        const { tag, silent, body, actions } = edits[count - 1]?.content ?? {};
        const isSame = tag !== undefined && tag === page?.content.tag && silent === true;
        const texts = actions?.map(({ title: label }) => label) ?? [];
        return isSame && pattern.test(body ?? '') && texts.join() === labels.join();
      });
    });
  await shown('both say who has it', 1, /^Acknowledged by \S.*, \d\d:\d\d/, ['Resolve']);
  await alert({ title: 'disk full', dedup_key: 'disk', status: 'resolved' });
  await shown('both say that it is over', 2, /^Resolved by the alert, /, []);
  const clears = await server.sql`select key from outbox where kind = 'all_clear'`;
  assert.equal(clears.length, 0, 'what stands there became the all-clear');
  for (const { received } of devices) {
    const topic = received.map(({ headers }) => headers['topic']);
    assert.equal(new Set(topic).size, 1, 'what was not delivered yet is replaced');
  }
  assert.deepEqual(service.complaints, []);
  await remove(devices);
});

test('of two devices one is busy: it gets the page later, and the other not again', async () => {
  const [busy, good] = [await device(), await device()];
  busy.browser.answer = { status: 503 };
  const number = await alert({ title: 'disk busy', dedup_key: 'busy' });
  await eventually('it is sent', async () =>
    (await timeline(number)).some(({ type }) => type === 'notice_sent'),
  );
  busy.browser.answer = { status: 201 };
  await eventually('both have it', () => busy.received.length > 0);
  await alert({ title: 'disk busy', dedup_key: 'busy', status: 'resolved' });
  const devices = [busy, good];
  await eventually('both say that it is over', () =>
    devices.every(({ received }) => /^Resolved/.test(received.at(-1)?.content.body ?? '')),
  );
  for (const { received } of devices)
    assert.deepEqual(
      received.map(({ content }) => content.silent),
      [false, true],
    );
  await remove(devices);
});

test('of two devices one is gone: the other gets the page, and the person is still reached', async () => {
  const [gone, good] = [await device(), await device()];
  gone.browser.answer = { status: 410 };
  const number = await alert({ title: 'disk slow' });
  await eventually('it is sent', async () =>
    (await timeline(number)).some(({ type }) => type === 'notice_sent'),
  );
  const sent = (await timeline(number)).find(({ type }) => type === 'notice_sent');
  assert.match(JSON.stringify(sent), /no longer accepts pushes \(410\); .*answered 201/);
  const pages = good.received.filter(({ content }) => content.path === `/incidents/${number}`);
  assert.equal(pages.length, 1);
  await eventually('the other says which one is lost', () =>
    good.received.some(
      ({ content: { path, body } }) =>
        path === '/me' && body === 'One of your contacts no longer works',
    ),
  );
  const contacts = (await server.api.send(`GET /users/${owner}/contacts`)).body.data;
  const stateOf = (id: string) => contacts.find((one: { id: string }) => one.id === id);
  assert.deepEqual([stateOf(gone.id).verified, stateOf(good.id).verified], [false, true]);
  good.browser.answer = { status: 404 };
  const next = await alert({ title: 'disk slower' });
  await eventually('nobody takes it', async () =>
    (await timeline(next)).some(({ type }) => type === 'notice_failed'),
  );
  const person = await server.api.send('GET /users?include=reachability');
  const { channels } = person.body.reachability[owner];
  const push = channels.find(({ channel }: { channel: string }) => channel === 'push-notification');
  assert.equal(push.reachable, false);
  const last = await alert({ title: 'disk slowest' });
  await eventually('it says that there is no device', async () =>
    JSON.stringify(await timeline(last)).includes('no verified push-notification contact'),
  );
});
