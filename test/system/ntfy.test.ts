// ntfy on a whole server: a person proves a topic, is paged there and answers there, and everything
// else that was paged shows it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { startPushService } from '../push-service.ts';
import { startFakeNtfy } from '../vendors/ntfy.ts';
import { startFakeTelegram } from '../vendors/telegram.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { startInProcess } from './in-process.ts';
import { signIn } from './sign-in.ts';

const password = 'correct horse battery';
const topic = 'pager-0123456789abcdef';

async function start(stack: AsyncDisposableStack) {
  const ntfy = stack.use(await startFakeNtfy());
  const telegram = stack.use(await startFakeTelegram());
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      PAGER_ALLOW_NETWORKS: '127.0.0.0/8',
      PAGER_BOOTSTRAP_PASSWORD: password,
      PAGER_VENDOR_URLS: `ntfy=${ntfy.url},telegram=${telegram.url}`,
    }),
  );
  const owner = await signIn(pager, password);
  const { body: me } = await owner('GET /users/me');
  return { ntfy, telegram, pager, owner, me };
}

test('a topic is proved by its code, paged, and a button of it acknowledges everywhere', async () => {
  await using stack = new AsyncDisposableStack();
  const { ntfy, telegram, pager, owner, me } = await start(stack);
  const service = stack.use(await startPushService());
  const { api } = pager;
  const path = `/users/${me.id}/contacts`;
  const written = { channel: 'push-notification', address: `ntfy:${topic}` };
  const early = await owner(`POST ${path}`, written);
  assert.match(JSON.stringify(early.body), /requires a channel connection to ntfy/);
  const connection = await api.create('channel-connections', { name: 'ntfy', vendor: 'ntfy' });
  const tested = await owner(`POST /channel-connections/${connection.id}/test`, {});
  assert.equal(tested.body.checks[0].ok, true, JSON.stringify(tested.body));
  const short = await owner(`POST ${path}`, { ...written, address: 'ntfy:alerts' });
  assert.match(JSON.stringify(short.body), /a topic of 16 to 64 letters/);

  const { status, body: contact } = await owner(`POST ${path}`, written);
  assert.equal(status, 201, JSON.stringify(contact));
  assert.match(contact.address, /^ntfy · …[0-9a-f]{8}$/, 'a topic is secret');
  assert.equal((await owner(`POST ${path}`, written)).status, 409);
  assert.equal((await owner(`POST ${path}/${contact.id}/code`, {})).status, 202);
  const [code = ''] = /\d{6}/.exec(ntfy.published[0]?.message ?? '') ?? [];
  const proved = await owner(`POST ${path}/${contact.id}/verify`, { code });
  assert.equal(proved.body.verified, true, JSON.stringify(proved.body));

  assert.equal((await owner(`POST ${path}/${contact.id}/test`, {})).status, 202);
  const test = ntfy.shown(topic).find(({ title }) => title.includes('Test page'));
  assert.ok(test);
  assert.equal((await ntfy.press(test, 'I got it')).status, 200);
  const [proof] = await pager.sql`select contact_id from contact_proofs`;
  assert.equal(proof?.['contact_id'], contact.id);

  const browser = service.browser((await api.send('GET /push/key')).body.public_key);
  await api.create(`users/${me.id}/contacts`, {
    channel: 'push-notification',
    address: `web:${JSON.stringify(browser.subscription)}`,
  });
  await pager.sql`update contacts set verified_at = now() where verified_at is null`;
  await api.create('channel-connections', {
    name: 'Bot',
    vendor: 'telegram',
    secrets: { bot_token: telegram.token },
  });
  await telegram.polled();
  telegram.start('4711');
  await pager.sql`
    insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
    select organization_id, 'telegram0000000000000000', id, 'telegram', '4711', now(), now()
    from users where id = ${me.id}`;
  const [policy] = await api.list('escalation-policies');
  const targets = ['push-notification', 'telegram'].map((via) => ({ via, user_id: me.id }));
  const steps = [{ targets }];
  const saved = await api.send(`PATCH /escalation-policies/${policy.id}`, { steps });
  assert.deepEqual([saved.status, saved.body.warnings ?? []], [200, []]);

  const [integration] = await api.list('integrations');
  const { body } = await postJson(integration.webhook_url, { title: 'disk full' });
  const { incident } = body.alerts[0];
  const shown = () => ntfy.shown(topic).find(({ title }) => title.includes('disk full'));
  const page = await eventually('the page', shown);
  assert.equal(page.priority, 5);
  await eventually('the browser has it', () => browser.received.length === 1);
  const message = await eventually('Telegram has it', () =>
    telegram.messages.find(({ text }) => text.includes('disk full')),
  );
  const pressed = await ntfy.press(page, 'Acknowledge');
  assert.equal(pressed.status, 200);

  const acknowledged = /Acknowledged by .+, \d\d:\d\d/;
  await eventually('Telegram shows it', () => acknowledged.test(message.text));
  await eventually('the browser shows it', () =>
    acknowledged.test(browser.received.at(-1)?.content.body ?? ''),
  );
  await eventually('ntfy shows it', () => acknowledged.test(shown()?.message ?? ''));
  assert.equal(shown()?.priority, 2, 'it rings no more');
  const timeline = await api.send(`GET /incidents/${incident}/timeline?limit=200`);
  const entries = timeline.body.data.filter(
    ({ type }: { type: string }) => type === 'acknowledged',
  );
  assert.equal(entries[0].actor.id, me.id);
  assert.deepEqual([ntfy.complaints, service.complaints], [[], []]);
});
