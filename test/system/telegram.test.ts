// Telegram on a whole server: a bot is connected, a person links their chat, is paged there, and
// answers there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { type FakeTelegram, startFakeTelegram } from '../vendors/telegram.ts';
import { skipTelegram } from '../vendors/telegram-contract.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { type InProcess, startInProcess } from './in-process.ts';

const password = 'correct horse battery';

async function start(stack: AsyncDisposableStack) {
  const telegram = stack.use(await startFakeTelegram());
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      PAGER_BOOTSTRAP_PASSWORD: password,
      PAGER_VENDOR_URLS: `telegram=${telegram.url}`,
    }),
  );
  const connection = await pager.api.create('channel-connections', {
    ...{ name: 'Bot', vendor: 'telegram', secrets: { bot_token: telegram.token } },
  });
  await telegram.polled();
  return { telegram, pager, connection, owner: await signIn(pager) };
}

/** What a signed-in person does. */
async function signIn({ url }: InProcess) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email: 'owner@example.test', password });
  const answer = await fetch(`${url}/auth/sign-in`, { method: 'POST', headers, body });
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const { csrf_token } = (await answer.json()) as { csrf_token: string };
  const signedIn = { ...headers, cookie: cookies.join('; '), 'x-csrf-token': csrf_token };
  return async (line: string, sent: unknown = undefined) => {
    const [method = 'GET', path = ''] = line.split(' ');
    const response = await fetch(`${url}/api/v1${path}`, {
      ...{ method, headers: { ...signedIn, origin: url } },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
    return { status: response.status, body: (await response.json()) as any };
  };
}

type World = Awaited<ReturnType<typeof start>>;
const chat = '4711';

/** The owner links their chat, and the only policy pages them there. */
async function link({ telegram, pager, owner }: World) {
  const { body: me } = await owner('GET /users/me');
  const { status, body: code } = await owner(`POST /users/${me.id}/link-codes`, {
    channel: 'telegram',
  });
  assert.equal(status, 201, JSON.stringify(code));
  assert.ok(code.qr.size > 30);
  assert.equal(code.url, `https://t.me/${telegram.bot.username}?start=${code.code}`);
  telegram.start(chat, code.code);
  await eventually('the chat is linked', () => textsOf(telegram).length === 1);
  const [policy] = await pager.api.list('escalation-policies');
  const steps = [
    { targets: [{ via: 'telegram', user_id: me.id }], escalate_after_minutes: 5 },
    { targets: [{ via: 'email', user_id: me.id }], escalate_after_minutes: 5 },
  ];
  const saved = await pager.api.send(`PATCH /escalation-policies/${policy.id}`, { steps });
  assert.deepEqual([saved.status, saved.body.warnings ?? []], [200, []]);
  return { me, code: code.code };
}

const textsOf = ({ messages }: FakeTelegram) => messages.map(({ text }) => text);

async function page({ telegram, pager }: World, title: string) {
  const [integration] = await pager.api.list('integrations');
  await postJson(integration.webhook_url, { title });
  await eventually('the page', () => textsOf(telegram).some((text) => text.includes(title)));
  const message = telegram.messages.findLast(({ text }) => text.includes(title));
  assert.ok(message);
  return message;
}

const incidentsOf = async ({ pager }: World) => (await pager.api.list('incidents')).toReversed();

const options = { skip: skipTelegram };

test('a person links a chat, is paged there, and acknowledges with a button', options, async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { telegram, pager, owner } = world;
  const { me } = await link(world);
  assert.match(textsOf(telegram)[0] ?? '', /arrive here now/);
  const contacts = await owner(`GET /users/${me.id}/contacts`);
  const linked = contacts.body.data.find(
    (each: { channel: string }) => each.channel === 'telegram',
  );
  assert.deepEqual([linked.address, linked.verified], [chat, true]);

  const message = await page(world, 'Disk full');
  const press = telegram.press(message.messageId, 'Acknowledge');
  await eventually('the answer', () => telegram.answers.has(press));
  assert.deepEqual(telegram.answers.get(press), { text: 'Acknowledged: INC-1.', isAlert: false });
  await eventually('the edit', () => message.edits === 1);
  assert.match(message.text, /^Acknowledged by /);
  assert.deepEqual(
    message.buttons.flat().map(({ text }) => text),
    ['Resolve'],
  );
  const [incident] = await incidentsOf(world);
  assert.equal(incident.status, 'acknowledged');
  const { body: timeline } = await pager.api.send(`GET /incidents/${incident.id}/timeline`);
  const entry = timeline.data.find((each: { type: string }) => each.type === 'acknowledged');
  assert.deepEqual([entry.actor.id, entry.actor.via], [me.id, 'telegram']);
});

test('a button escalates only what it shows, and says what it found', options, async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { telegram, pager } = world;
  await link(world);
  const message = await page(world, 'Disk full');
  const first = telegram.press(message.messageId, 'Escalate');
  await eventually('the answer', () => telegram.answers.has(first));
  assert.equal(telegram.answers.get(first)?.text, 'Escalated: INC-1.');
  const [incident] = await incidentsOf(world);
  await pager.api.send(`POST /incidents/${incident.id}/resolve`, {});
  const late = telegram.press(message.messageId, 'Acknowledge');
  await eventually('the late answer', () => telegram.answers.has(late));
  assert.match(telegram.answers.get(late)?.text ?? '', /^Nothing was changed: .*resolved/);
  await eventually('no button is left', () => message.buttons.length === 0);
});

test(
  'who comes second is told who was first, and nothing is done in their name',
  options,
  async () => {
    await using stack = new AsyncDisposableStack();
    const world = await start(stack);
    const { telegram, pager } = world;
    await link(world);
    const message = await page(world, 'Disk full');
    const [incident] = await incidentsOf(world);
    const { status } = await pager.api.send(`POST /incidents/${incident.id}/acknowledge`, {});
    assert.equal(status, 200);
    const second = telegram.press(message.messageId, 'Acknowledge');
    await eventually('the answer', () => telegram.answers.has(second));
    assert.match(
      telegram.answers.get(second)?.text ?? '',
      /^Nothing was changed: INC-1 is acknowledged already, by .+\.$/,
    );
    await eventually('the edit', () => message.edits === 1);
    assert.doesNotMatch(message.text, /^Acknowledged by/);
    assert.match(message.text, /Status: acknowledged/);
  },
);

test('a bot that is blocked beside another takes no contact away', options, async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { telegram, pager } = world;
  const { me } = await link(world);
  const other = { bot_token: `1${telegram.token}` };
  await pager.api.create('channel-connections', {
    ...{ name: 'Other', vendor: 'telegram', position: 2, secrets: other },
  });
  telegram.block(chat);
  telegram.start('999');
  await eventually('what came after it', () => telegram.messages.at(-1)?.chatId === '999');
  const { body } = await pager.api.send(`GET /users/${me.id}/contacts`);
  const contact = body.data.find((each: { channel: string }) => each.channel === 'telegram');
  assert.equal(contact.verified, true);
});

test('who is not known is answered what to do, and changes nothing', options, async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { telegram } = world;
  const { code } = await link(world);
  await page(world, 'Disk full');
  telegram.start('999', code);
  telegram.write('999', 'ack 1');
  const answers = () => telegram.messages.filter(({ chatId }) => chatId === '999');
  await eventually('two answers', () => answers().length === 2);
  assert.match(answers()[0]?.text ?? '', /not valid, or has expired/);
  assert.match(answers()[1]?.text ?? '', /Nobody has linked this chat/);
  assert.equal((await incidentsOf(world))[0].status, 'triggered');
  telegram.write(chat, 'ack');
  telegram.write(chat, 'ack 1');
  const last = () => telegram.messages.at(-1)?.text ?? '';
  await eventually('it is acknowledged', () => last() === 'Acknowledged: INC-1.');
  assert.equal((await incidentsOf(world))[0].status, 'acknowledged');
});

test('a blocked bot ends the contact, and the next step is paged at once', options, async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { telegram, pager } = world;
  const { me } = await link(world);
  telegram.block(chat);
  const [integration] = await pager.api.list('integrations');
  const contact = async () => {
    const { body } = await pager.api.send(`GET /users/${me.id}/contacts`);
    return body.data.find((each: { channel: string }) => each.channel === 'telegram');
  };
  await eventually('the contact is lost', async () => !(await contact()).verified);
  assert.equal((await contact()).state, 'blocked');
  await postJson(integration.webhook_url, { title: 'Disk full' });
  const [incident] = await incidentsOf(world);
  await eventually('the second step', async () => {
    const { body } = await pager.api.send(`GET /incidents/${incident.id}/timeline`);
    return body.data.some((each: { text: string }) => /step 2/i.test(each.text));
  });
  telegram.unblock(chat);
  await eventually('the contact is back', async () => (await contact()).verified);
  assert.equal((await contact()).state, undefined);
});

test('a token that Telegram refuses is shown where it is mended', options, async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { telegram, pager, connection } = world;
  const read = async () => (await pager.api.send(`GET /channel-connections/${connection.id}`)).body;
  await eventually('it is accepted', async () => (await read()).health.state === 'ok');
  assert.equal((await read()).account, telegram.bot.username);
  assert.deepEqual(Object.keys((await read()).secrets.bot_token), ['set', 'ends', 'set_at']);
  const wrong = { secrets: { bot_token: `${telegram.token.slice(0, -1)}X` } };
  await pager.api.send(`PATCH /channel-connections/${connection.id}`, wrong);
  const failing = async () => (await read()).health;
  await eventually('it is refused', async () => (await failing()).state === 'failing');
  assert.match((await failing()).reason, /bot_token/);
  const { body } = await pager.api.send(`POST /channel-connections/${connection.id}/test`, {});
  assert.equal(body.checks[0].ok, false);
});
