// WhatsApp by Meta on a whole server: a number is connected, a person links their WhatsApp, is paged there,
// and answers there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/engine/clock.ts';
import { anyDatabase } from '../database.ts';
import { type FakeWhatsAppCloud, startFakeWhatsAppCloud } from '../vendors/whatsapp-cloud.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { startInProcess } from './in-process.ts';
import type { Settings } from './server-process.ts';
import { signIn } from './sign-in.ts';

const password = 'correct horse battery';
const number = '+4915112345678';
const appSecret = '0123456789abcdef0123456789abcdef';
const verifyToken = 'our own verify token'.replaceAll(' ', '-');

async function start(stack: AsyncDisposableStack, settings: Settings = {}) {
  const time = { hoursAhead: 0 };
  const whatsapp = stack.use(
    await startFakeWhatsAppCloud(() => systemClock.now().add({ hours: time.hoursAhead })),
  );
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      PAGER_BOOTSTRAP_PASSWORD: password,
      PAGER_VENDOR_URLS: `whatsapp-cloud=${whatsapp.url}`,
      ...settings,
    }),
  );
  const { phone_number_id, business_account_id, access_token } = whatsapp.account;
  const connection = await pager.api.create('channel-connections', {
    name: 'Our number',
    vendor: 'whatsapp-cloud',
    settings: {
      phone_number_id,
      business_account_id,
      template: 'pager_page',
      notice_template: 'pager_notice',
      language: 'en',
      allowed_prefixes: ['+49'],
    },
    secrets: { access_token, app_secret: appSecret, verify_token: verifyToken },
  });
  const tested = await pager.api.send(`POST /channel-connections/${connection.id}/test`, {});
  const owner = await signIn(pager, password);
  const later = async (hours: number) => {
    await pager.pass({ minutes: hours * 60 });
    time.hoursAhead += hours;
  };
  return { whatsapp, pager, connection, owner, checks: tested.body.checks, later };
}

type World = Awaited<ReturnType<typeof start>>;

/** The owner links their WhatsApp, and the only policy pages them there. */
async function link({ whatsapp, pager, connection, owner }: World) {
  const [address] = connection.callback_urls;
  assert.equal(address.url, `${pager.url}/callbacks/whatsapp/${connection.id}`);
  assert.equal(await whatsapp.subscribe(address.url, verifyToken, appSecret), 200);
  const { body: me } = await owner('GET /users/me');
  const { status, body: code } = await owner(`POST /users/${me.id}/link-codes`, {
    channel: 'whatsapp',
  });
  assert.equal(status, 201, JSON.stringify(code));
  const url = new URL(code.url);
  assert.equal(`${url.origin}${url.pathname}`, 'https://wa.me/15550783881');
  const text = url.searchParams.get('text') ?? '';
  assert.equal(text, code.text);
  assert.equal(await whatsapp.write(number, text), 200);
  await eventually('the answer', () => whatsapp.messages.length === 1);
  const [policy] = await pager.api.list('escalation-policies');
  const steps = [
    { targets: [{ via: 'whatsapp', user_id: me.id }], escalate_after_minutes: 5 },
    { targets: [{ via: 'email', user_id: me.id }], escalate_after_minutes: 5 },
  ];
  const saved = await pager.api.send(`PATCH /escalation-policies/${policy.id}`, { steps });
  assert.deepEqual([saved.status, saved.body.warnings ?? []], [200, []]);
  return me;
}

async function page({ whatsapp, pager }: World, title: string, more = '') {
  const [integration] = await pager.api.list('integrations');
  await postJson(integration.webhook_url, { title: title + more });
  await eventually('the page', () => whatsapp.messages.some(({ text }) => text.includes(title)));
  const message = whatsapp.messages.findLast(({ text }) => text.includes(title));
  assert.ok(message);
  return message;
}

const lastText = ({ messages }: FakeWhatsAppCloud) => messages.at(-1)?.text ?? '';

const noticesOf = async ({ pager }: World) => {
  const [incident] = await pager.api.list('incidents');
  const { body } = await pager.api.send(`GET /incidents/${incident.id}/notices`);
  return body.data;
};

test('a person links WhatsApp, is paged there, and acknowledges with a button', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { whatsapp, pager, owner, checks } = world;
  assert.deepEqual(
    checks.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok]),
    [
      ['credentials', true],
      ['template pager_page', true],
      ['template pager_notice', true],
    ],
  );
  const me = await link(world);
  assert.match(lastText(whatsapp), /now arrive here/);
  const { body: contacts } = await owner(`GET /users/${me.id}/contacts`);
  const linked = contacts.data.find((each: { channel: string }) => each.channel === 'whatsapp');
  assert.deepEqual(
    [linked.address, linked.verified, linked.reachability],
    [number, true, 'proved'],
  );

  const message = await page(world, 'Disk full');
  assert.equal(message.type, 'interactive', 'the person has just written');
  assert.deepEqual(
    message.buttons.map(({ text }) => text),
    ['Acknowledge', 'Resolve', 'Escalate'],
  );
  await eventually('it is handed over', async () =>
    /pending/.test((await noticesOf(world))[0]?.text ?? 'pending'),
  );
  assert.equal(await whatsapp.report(message, 'sent'), 200);
  assert.equal(await whatsapp.report(message, 'delivered'), 200);
  await eventually('its receipt', async () => (await noticesOf(world))[0].state === 'sent');
  // A lower one comes late.
  assert.equal(await whatsapp.report(message, 'sent'), 200);
  assert.equal(await whatsapp.report(message, 'failed', 131026), 200);
  const [notice] = await noticesOf(world);
  assert.equal(notice.state, 'sent');

  assert.equal(await whatsapp.press(message, 'Acknowledge'), 200);
  await eventually('the answer', () => lastText(whatsapp) === 'Acknowledged: INC-1.');
  const [incident] = await pager.api.list('incidents');
  assert.equal(incident.status, 'acknowledged');
  const { body: timeline } = await pager.api.send(`GET /incidents/${incident.id}/timeline`);
  const entry = timeline.data.find((each: { type: string }) => each.type === 'acknowledged');
  assert.deepEqual([entry.actor.id, entry.actor.via], [me.id, 'whatsapp']);
  assert.equal(await whatsapp.write(number, 'resolve 1'), 200);
  await eventually('the second answer', () => lastText(whatsapp) === 'Resolved: INC-1.');
  assert.deepEqual(whatsapp.complaints, []);
});

test('a day after the person wrote, the template pages, and its buttons act', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { whatsapp, pager, later } = world;
  await link(world);
  await later(24);
  const message = await page(world, 'Disk full', ' https://evil.example.com/x');
  assert.equal(message.type, 'template');
  assert.match(message.text, /^Incident INC-1 .*needs you\. Service: .*\. Problem: Disk full\./);
  assert.equal(await whatsapp.press(message, 'Resolve'), 200);
  await eventually('the answer', () => lastText(whatsapp) === 'Resolved: INC-1.');
  const [incident] = await pager.api.list('incidents');
  assert.equal(incident.status, 'resolved');
  assert.equal((await page(world, 'Disk full again')).type, 'interactive');
  assert.deepEqual(whatsapp.complaints, []);
});

test('one press that Meta delivers twice acts once', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { whatsapp, pager } = world;
  await link(world);
  const message = await page(world, 'Disk full');
  await whatsapp.press(message, 'Escalate');
  assert.equal(await whatsapp.deliverAgain(), 200);
  await eventually(
    'the answer',
    () => /^Escalated/.test(lastText(whatsapp)) || whatsapp.messages.length > 3,
  );
  const [incident] = await pager.api.list('incidents');
  const { body } = await pager.api.send(`GET /incidents/${incident.id}/timeline`);
  const escalated = body.data.filter(
    ({ type, actor }: { type: string; actor?: { via?: string } }) =>
      type === 'escalated' && actor?.via === 'whatsapp',
  );
  assert.equal(escalated.length, 1);
});

test('one request has several entries, changes, messages and receipts', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { whatsapp } = world;
  await link(world);
  const first = await page(world, 'Disk full');
  const second = await page(world, 'Memory low');
  const status = await whatsapp.deliver([
    [whatsapp.valueOfStatus(first, 'sent'), whatsapp.valueOfStatus(first, 'delivered')],
    [whatsapp.valueOfStatus(second, 'read'), whatsapp.valueOfText(number, 'ack 2')],
  ]);
  assert.equal(status, 200);
  await eventually('the answer', () => lastText(whatsapp) === 'Acknowledged: INC-2.');
  const { pager } = world;
  for (const incident of await pager.api.list('incidents')) {
    const { body } = await pager.api.send(`GET /incidents/${incident.id}/notices`);
    assert.deepEqual([incident.number, body.data[0].state], [incident.number, 'sent']);
  }
});

test('a request that Meta has not signed does nothing, and a wrong verify token gets no challenge', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { whatsapp, connection, pager } = world;
  const [{ url }] = connection.callback_urls;
  assert.equal(await whatsapp.subscribe(url, 'another verify token', appSecret), 401);
  await link(world);
  const message = await page(world, 'Disk full');
  await whatsapp.subscribe(url, verifyToken, 'f'.repeat(32));
  assert.equal(await whatsapp.press(message, 'Acknowledge'), 401);
  const unsigned = await fetch(url, { method: 'POST', body: '{}' });
  assert.equal(unsigned.status, 401);
  const [incident] = await pager.api.list('incidents');
  assert.equal(incident.status, 'triggered');
});

test('a contact that fails leads to the next one, and a paused template fails the connection', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { whatsapp, pager, connection, later } = world;
  await link(world);
  whatsapp.withoutWhatsApp.add(number);
  await page(world, 'Disk full');
  await eventually('it has failed', async () => (await noticesOf(world))[0].state === 'failed');
  const health = async () =>
    (await pager.api.send(`GET /channel-connections/${connection.id}`)).body.health;
  assert.equal((await health()).state, 'ok');

  whatsapp.withoutWhatsApp.clear();
  await later(24);
  for (const template of whatsapp.templates) template.status = 'PAUSED';
  const [integration] = await pager.api.list('integrations');
  await postJson(integration.webhook_url, { title: 'Memory low' });
  await eventually('the connection fails', async () => (await health()).state === 'failing');
  assert.match((await health()).reason, /paused/);
});

test('STOP ends pages there, and START brings them back', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { whatsapp, owner } = world;
  const me = await link(world);
  const contact = async () => {
    const { body } = await owner(`GET /users/${me.id}/contacts`);
    return body.data.find((each: { channel: string }) => each.channel === 'whatsapp');
  };
  await whatsapp.write(number, 'Stop');
  await eventually('the answer', () => /^You no longer get pages here/.test(lastText(whatsapp)));
  assert.deepEqual([(await contact()).verified, (await contact()).state], [false, 'opted_out']);
  assert.equal(
    (await contact()).state_reason,
    'The person sent STOP in WhatsApp. START undoes that.',
  );
  await whatsapp.write(number, 'START');
  await eventually('the answer', () => /^You get pages here again/.test(lastText(whatsapp)));
  assert.equal((await contact()).verified, true);
});

test('a STOP or START that Meta delivers after what the person wrote later changes nothing', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { whatsapp, owner, later } = world;
  const me = await link(world);
  const state = async () => {
    const { body } = await owner(`GET /users/${me.id}/contacts`);
    const contact = body.data.find((each: { channel: string }) => each.channel === 'whatsapp');
    return contact.verified ? 'used' : contact.state;
  };
  const write = async (text: string, minutesAgo: number) => {
    assert.equal(await whatsapp.write(number, text, { minutesAgo }), 200);
    return state();
  };
  assert.equal(await write('STOP', 5), 'used', 'it was linked after that');
  await later(1);
  await write('START', 20);
  assert.equal(await write('STOP', 30), 'used', 'START came after that');
  const message = await page(world, 'Disk full');
  assert.equal(await whatsapp.press(message, 'Acknowledge', { minutesAgo: 5 }), 200);
  assert.equal(await write('STOP', 10), 'used', 'the button was pressed after that');
  assert.ok(!whatsapp.messages.some(({ text }) => /^You no longer get pages/.test(text)));
  assert.equal(await write('STOP', 3), 'opted_out');
  assert.equal(await write('START', 4), 'opted_out', 'STOP came after that');
  assert.equal(await write('START', 2), 'used');
  assert.equal(await write('STOP', 2.5), 'used', 'START came after that, too');
  assert.equal(await write('STOP', 0), 'opted_out');
});

test('a number outside the allowed prefixes cannot be linked', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { whatsapp, owner } = world;
  const me = await link(world);
  const { body: code } = await owner(`POST /users/${me.id}/link-codes`, { channel: 'whatsapp' });
  await whatsapp.write('+33612345678', code.text);
  await eventually('the answer', () => /^This number cannot be linked/.test(lastText(whatsapp)));
  const { body } = await owner(`GET /users/${me.id}/contacts`);
  assert.equal(
    body.data.filter(({ channel }: { channel: string }) => channel === 'whatsapp').length,
    1,
  );
});

test('without a public address nobody can link WhatsApp, and the reason is shown', async () => {
  await using stack = new AsyncDisposableStack();
  const listen = `127.0.0.1:${await freePort()}`;
  const publicUrl = listen.replace('127.0.0.1', 'http://localhost');
  const { pager, connection, checks } = await start(stack, {
    PAGER_LISTEN: listen,
    PAGER_PUBLIC_URL: publicUrl,
  });
  const owner = await signIn({ ...pager, url: publicUrl }, password);
  assert.deepEqual([connection.receive, connection.callback_urls], ['nothing', []]);
  assert.match(checks.at(-1).message, /^Meta cannot call Pager/);
  const { body: me } = await owner('GET /users/me');
  const made = await owner(`POST /users/${me.id}/link-codes`, { channel: 'whatsapp' });
  assert.equal(made.status, 503);
  assert.match(made.body.message, /PAGER_PUBLIC_URL/);
});
