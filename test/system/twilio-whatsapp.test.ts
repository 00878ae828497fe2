// WhatsApp by Twilio on a whole server: a person links their WhatsApp, is paged there, and answers with a
// button or a text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/engine/clock.ts';
import { anyDatabase } from '../database.ts';
import { startFakeTelegram } from '../vendors/telegram.ts';
import { type FakeMessage, startFakeTwilio } from '../vendors/twilio.ts';
import { NOTICE_CONTENT, PAGE_CONTENT } from '../vendors/twilio-whatsapp.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { startInProcess } from './in-process.ts';
import type { Settings } from './server-process.ts';
import { signIn } from './sign-in.ts';

const password = 'correct horse battery';
const number = '+4915112345678';
const inWhatsApp = `whatsapp:${number}`;

async function start(stack: AsyncDisposableStack, settings: Settings = {}) {
  const time = { hoursAhead: 0 };
  const twilio = stack.use(
    await startFakeTwilio(() => systemClock.now().add({ hours: time.hoursAhead })),
  );
  const telegram = stack.use(await startFakeTelegram());
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      PAGER_BOOTSTRAP_PASSWORD: password,
      PAGER_VENDOR_URLS: `twilio=${twilio.url},telegram=${telegram.url}`,
      ...settings,
    }),
  );
  const connect = (name: string, account_sid = twilio.account.sid) =>
    pager.api.create('channel-connections', {
      name,
      vendor: 'twilio',
      settings: {
        account_sid,
        from_whatsapp: twilio.number,
        content_sid: PAGE_CONTENT,
        notice_content_sid: NOTICE_CONTENT,
        allowed_prefixes: ['+49'],
      },
      secrets: { auth_token: twilio.authToken },
    });
  const connection = await connect('Twilio');
  if (connection.receive === 'callbacks')
    twilio.setWhatsAppWebhook(`${pager.url}/callbacks/whatsapp/${connection.id}`);
  twilio.setHabit(inWhatsApp, { type: 'receives' });
  const tested = await pager.api.send(`POST /channel-connections/${connection.id}/test`, {});
  const url = settings['PAGER_PUBLIC_URL'] ?? pager.url;
  const owner = await signIn({ ...pager, url }, password);
  const later = async (hours: number) => {
    await pager.pass({ minutes: hours * 60 });
    time.hoursAhead += hours;
  };
  return { twilio, telegram, pager, connect, connection, owner, checks: tested.body.checks, later };
}

type World = Awaited<ReturnType<typeof start>>;

/** The owner links their WhatsApp, and the only policy pages them there. */
async function link(world: World) {
  const { twilio, pager, owner } = world;
  const { body: me } = await owner('GET /users/me');
  const { status, body: code } = await owner(`POST /users/${me.id}/link-codes`, {
    channel: 'whatsapp',
  });
  assert.equal(status, 201, JSON.stringify(code));
  const url = new URL(code.url);
  assert.equal(`${url.origin}${url.pathname}`, `https://wa.me/${twilio.number.slice(1)}`);
  assert.equal(code.account, twilio.number);
  const answers = await twilio.write(number, url.searchParams.get('text') ?? '');
  await eventually('the contact', async () => (await contactOf(world, me.id))?.verified);
  const [policy] = await pager.api.list('escalation-policies');
  const targets = [{ via: 'whatsapp', user_id: me.id }];
  const saved = await pager.api.send(`PATCH /escalation-policies/${policy.id}`, {
    steps: [{ targets, escalate_after_minutes: 30 }, { targets }],
  });
  assert.deepEqual([saved.status, saved.body.warnings ?? []], [200, []]);
  return { me, answers };
}

async function post({ pager }: World, title: string) {
  const [integration] = await pager.api.list('integrations');
  await postJson(integration.webhook_url, { title });
}

async function page(world: World, title: string): Promise<FakeMessage> {
  await post(world, title);
  return eventually('the page', () =>
    world.twilio.messages.find(({ body }) => body.includes(title)),
  );
}

const contactOf = async ({ owner }: World, userId: string) => {
  const { body } = await owner(`GET /users/${userId}/contacts`);
  return body.data.find((each: { channel: string }) => each.channel === 'whatsapp');
};

const incidentOf = async ({ pager }: World) => (await pager.api.list('incidents'))[0];

const noticesOf = async (world: World) => {
  const { id } = await incidentOf(world);
  return (await world.pager.api.send(`GET /incidents/${id}/notices`)).body.data;
};

const arrived = (world: World) =>
  eventually('its receipt', async () => (await noticesOf(world))[0].state === 'sent');

const checked = [
  ['credentials', true],
  ['content_sid', true],
  ['notice_content_sid', true],
];

test('a person links WhatsApp, and what they acknowledge with a button a day later is shown everywhere', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { twilio, telegram, pager, checks, later } = world;
  const results = checks.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok]);
  assert.deepEqual(results, checked);
  const { me, answers } = await link(world);
  assert.match(answers[0] ?? '', /now arrive here/);
  const linked = await contactOf(world, me.id);
  assert.deepEqual(
    [linked.address, linked.verified, linked.reachability],
    [number, true, 'proved'],
  );
  await pager.api.create('channel-connections', {
    name: 'Bot',
    vendor: 'telegram',
    secrets: { bot_token: telegram.token },
  });
  await telegram.polled();
  telegram.start('4711');
  await pager.sql`
    insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
    select organization_id, ${'7'.repeat(24)}, id, 'telegram', '4711', now(), now()
    from users where id = ${me.id}`;
  const [policy] = await pager.api.list('escalation-policies');
  const targets = ['whatsapp', 'telegram'].map((via) => ({ via, user_id: me.id }));
  await pager.api.send(`PATCH /escalation-policies/${policy.id}`, {
    steps: [{ targets, escalate_after_minutes: 30 }, { targets }],
  });

  await later(24);
  const message = await page(world, 'Disk full');
  assert.deepEqual(
    [message.content?.name, message.buttons.map(({ title }) => title)],
    ['pager_page', ['Acknowledge', 'Resolve']],
  );
  assert.match(message.body, /^Incident INC-1 .*needs you\. Service: .*\. Problem: Disk full\./);
  await arrived(world);
  await twilio.report(message.sid, 'read');
  const chat = await eventually('the message', () =>
    telegram.messages.find(({ text }) => text.includes('Disk full')),
  );
  assert.deepEqual(await twilio.press(message, 'Acknowledge'), ['Acknowledged: INC-1.']);
  const incident = await incidentOf(world);
  assert.equal(incident.status, 'acknowledged');
  const { body: timeline } = await pager.api.send(`GET /incidents/${incident.id}/timeline`);
  const entry = timeline.data.find((each: { type: string }) => each.type === 'acknowledged');
  assert.deepEqual([entry.actor.id, entry.actor.via], [me.id, 'whatsapp']);
  await eventually('Telegram shows it', () => /Acknowledged by .+, \d\d:\d\d/.test(chat.text));
  assert.equal(twilio.messages.length, 1);
  const { body } = await pager.api.send(`GET /channel-connections/${world.connection.id}`);
  assert.deepEqual([body.usage[0].messages, body.usage[0].segments], [1, 0]);
});

test('who has just written gets a text, and what they write acts as by SMS', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { twilio } = world;
  await link(world);
  const message = await page(world, 'Disk full');
  assert.equal(message.content, null);
  assert.match(message.body, /\n4 1 = Acknowledge\n6 1 = Resolve\n9 1 = Escalate$/);
  await arrived(world);
  assert.deepEqual(await twilio.write(number, '4 1'), ['Acknowledged: INC-1.']);
  const second = await page(world, 'Memory low');
  assert.deepEqual(
    await twilio.write(number, 'resolve', message),
    ['Resolved: INC-1.'],
    'it replies to the first',
  );
  assert.deepEqual(await twilio.write(number, 'ack', second), ['Acknowledged: INC-2.']);
});

test('a button counts for the page that it belongs to, also before its sending is recorded', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { twilio, pager, later } = world;
  await link(world);
  await later(24);
  const first = await page(world, 'Disk full');
  await arrived(world);
  const [incident] = await pager.api.list('incidents');
  await pager.api.send(`POST /incidents/${incident.id}/resolve`, {});
  // Twilio does not answer the request; it only reports that the message has arrived.
  twilio.misbehave('POST /Messages.json', { type: 'done_but_hangs' });
  const second = await page(world, 'Memory low');
  await eventually('its report', () =>
    twilio.callbacks.some(({ fields }) => fields['MessageSid'] === second.sid),
  );
  await twilio.settled();
  const old = await twilio.press(first, 'Acknowledge');
  assert.match(old[0] ?? '', /INC-1 is already resolved/);
  assert.deepEqual(await twilio.press(second, 'Acknowledge'), ['Acknowledged: INC-2.']);
  const stranger = { ...second, sid: `MM${'9'.repeat(32)}` };
  const third = await page(world, 'Fan broken');
  assert.ok(third);
  assert.match((await twilio.press(stranger, 'Acknowledge'))[0] ?? '', /^Nothing was changed/);
});

test('a page of which no receipt arrives goes to the next connection', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { twilio, pager, later, connect } = world;
  await link(world);
  const { id: second } = await connect('Second', twilio.otherAccount.sid);
  await later(24);
  twilio.setReceipts('lost');
  twilio.setHabit(inWhatsApp, { type: 'voicemail' });
  const first = await page(world, 'Disk full');
  await eventually('it is handed over', async () => (await noticesOf(world))[0].awaits_receipt);
  await pager.pass({ minutes: 2 });
  const next = await eventually('the next', () => twilio.messages.find((one) => one !== first));
  const callbackOf = ({ fields }: FakeMessage) => String(fields['StatusCallback']);
  assert.match(callbackOf(first), new RegExp(`/callbacks/whatsapp/${world.connection.id}/`));
  assert.match(callbackOf(next), new RegExp(`/callbacks/whatsapp/${second}/`));
});

test('a rejected template falls to the next connection, and fails the check of its own', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { twilio, pager, later, connect, connection } = world;
  await link(world);
  const { id: second } = await connect('Second', twilio.otherAccount.sid);
  await later(24);
  for (const content of twilio.contents) content.status = 'paused';
  await page(world, 'Disk full');
  await eventually('the other connection', () =>
    twilio.messages.some(({ fields }) => String(fields['StatusCallback']).includes(second)),
  );
  const { body } = await pager.api.send(`POST /channel-connections/${connection.id}/test`, {});
  const wrong = body.checks.find(({ ok }: { ok: boolean }) => !ok);
  assert.match(
    wrong.message,
    /^WhatsApp has not approved the content template: its status is paused/,
  );
  const { body: after } = await pager.api.send(`GET /channel-connections/${connection.id}`);
  assert.equal(after.health.state, 'failing');
});

test('STOP ends pages there, START brings them back, and other numbers cannot be linked', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { twilio, owner } = world;
  const { me } = await link(world);
  assert.match((await twilio.write(number, 'Stop'))[0] ?? '', /^You no longer get pages here/);
  const stopped = await contactOf(world, me.id);
  assert.deepEqual([stopped.verified, stopped.state], [false, 'opted_out']);
  assert.match((await twilio.write(number, 'START'))[0] ?? '', /^You get pages here again/);
  assert.equal((await contactOf(world, me.id)).verified, true);
  const { body: code } = await owner(`POST /users/${me.id}/link-codes`, { channel: 'whatsapp' });
  const refused = await twilio.write('+33612345678', code.text);
  assert.match(refused[0] ?? '', /^This number cannot be linked/);
});

test('an SMS that is sent to the address for WhatsApp links and proves nothing', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { twilio, pager, owner, connection } = world;
  const { me } = await link(world);
  const { body: code } = await owner(`POST /users/${me.id}/link-codes`, { channel: 'whatsapp' });
  twilio.setMessageWebhook(`${pager.url}/callbacks/whatsapp/${connection.id}`);
  await twilio.text('+4915112345679', code.text);
  const { body } = await owner(`GET /users/${me.id}/contacts`);
  const linked = body.data.filter(({ channel }: { channel: string }) => channel === 'whatsapp');
  assert.deepEqual(
    linked.map(({ address }: { address: string }) => address),
    [number],
  );
});

test('without a public address, Twilio is polled for the code, and for what people answer', async () => {
  await using stack = new AsyncDisposableStack();
  const listen = `127.0.0.1:${await freePort()}`;
  const world = await start(stack, {
    PAGER_LISTEN: listen,
    PAGER_PUBLIC_URL: listen.replace('127.0.0.1', 'http://localhost'),
  });
  const { twilio, connection, pager } = world;
  assert.deepEqual([connection.receive, connection.callback_urls], ['poll', []]);
  await link(world);
  await eventually('the answer', () => /now arrive here/.test(twilio.messages[0]?.body ?? ''));
  const message = await page(world, 'Disk full');
  assert.equal(message.statusCallback, null);
  await twilio.write(number, 'ack 1');
  await pager.pass({ minutes: 1 });
  await eventually('the answer', () => twilio.messages[0]?.body === 'Acknowledged: INC-1.');
});
