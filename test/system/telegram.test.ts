// Telegram on a whole server: a bot is connected, a person links their chat, is paged there, and
// answers there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/engine/clock.ts';
import { anyDatabase } from '../database.ts';
import { type FakeTelegram, startFakeTelegram } from '../vendors/telegram.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { type InProcess, startInProcess } from './in-process.ts';
import { startMailServer } from './notice-servers.ts';
import type { Settings } from './server-process.ts';
import { signIn } from './sign-in.ts';

const password = 'correct horse battery';

async function start(stack: AsyncDisposableStack, settings: Settings = {}) {
  /** Before the server's time. */
  const written = { minutesAgo: 0 };
  const writtenAt = () => systemClock.now().subtract({ minutes: written.minutesAgo });
  const telegram = stack.use(await startFakeTelegram(writtenAt));
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      PAGER_BOOTSTRAP_PASSWORD: password,
      PAGER_VENDOR_URLS: `telegram=${telegram.url}`,
      ...settings,
    }),
  );
  const connection = await pager.api.create('channel-connections', {
    name: 'Bot',
    vendor: 'telegram',
    secrets: { bot_token: telegram.token },
  });
  await telegram.polled();
  return { telegram, pager, connection, written, owner: await signIn(pager, password) };
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

test('a person links a chat, is paged there, and acknowledges with a button', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { telegram, pager, owner } = world;
  const { me } = await link(world);
  assert.match(textsOf(telegram)[0] ?? '', /now arrive here/);
  const contacts = await owner(`GET /users/${me.id}/contacts`);
  const linked = contacts.body.data.find(
    (each: { channel: string }) => each.channel === 'telegram',
  );
  assert.deepEqual([linked.address, linked.verified], [chat, true]);

  const isUnproved = async () => {
    const { body } = await owner(`GET /users/${me.id}/contacts`);
    const contact = body.data.find(({ channel }: { channel: string }) => channel === 'telegram');
    return contact.proved_at === undefined;
  };
  const forget = () => pager.sql`delete from contact_proofs`;
  assert.equal(await isUnproved(), false, 'to link a chat proves it');
  await forget();
  assert.equal((await owner(`POST /users/${me.id}/contacts/${linked.id}/test`, {})).status, 202);
  const tested = telegram.messages.at(-1);
  assert.ok(tested);
  assert.deepEqual(
    tested.buttons.flat().map(({ text }) => text),
    ['I got it'],
  );
  const gotIt = telegram.press(tested.messageId, 'I got it');
  await eventually('the answer to the test', () => telegram.answers.has(gotIt));
  assert.equal(telegram.answers.get(gotIt)?.text, 'Thank you: pages reach you here.');
  assert.equal(await isUnproved(), false);

  await forget();
  assert.equal(await isUnproved(), true);
  const message = await page(world, 'Disk full');
  const press = telegram.press(message.messageId, 'Acknowledge');
  await eventually('the answer', () => telegram.answers.has(press));
  assert.deepEqual(telegram.answers.get(press), { text: 'Acknowledged: INC-1.', isAlert: false });
  assert.equal(await isUnproved(), false, 'who acknowledges there is reached there');
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

test('a button escalates only what it shows, and says what it found', async () => {
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

test('who comes second is told who was first, and nothing is done in their name', async () => {
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
    /^Nothing was changed: INC-1 is already acknowledged, by .+\.$/,
  );
  await eventually('the edit', () => message.edits === 1);
  assert.match(message.text, /^Acknowledged by First key, /);
  assert.match(message.text, /Status: acknowledged/);
  const third = telegram.press(message.messageId, 'Resolve');
  await eventually('the end', () => telegram.answers.has(third));
  assert.equal(telegram.answers.get(third)?.text, 'Resolved: INC-1.');
  const noted = await entriesOf(world, incident.id, 'unchanged');
  assert.equal(noted.length, 1);
  assert.match(
    noted[0].text,
    /^.+ tried to acknowledge in Telegram, which changed nothing: it was already acknowledged, by First key$/,
  );
  assert.equal(noted[0].actor.via, 'telegram');
});

const otherChat = '4712';

/** Somebody else, who is paged together with the owner. */
async function addPerson({ telegram, pager }: World, ownerId: string): Promise<void> {
  const { id } = await pager.api.create('users', {
    email: 'bo@example.test',
    first_name: 'Bo',
    last_name: 'Example',
    role: 'responder',
  });
  telegram.start(otherChat);
  await pager.sql`
    insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
    select organization_id, ${'b'.repeat(24)}, id, 'telegram', ${otherChat}, now(), now()
    from users where id = ${id}`;
  const [policy] = await pager.api.list('escalation-policies');
  const targets = [ownerId, id].map((user_id) => ({ via: 'telegram', user_id }));
  const saved = await pager.api.send(`PATCH /escalation-policies/${policy.id}`, {
    steps: [{ targets }],
  });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
}

/** The messages of the page, once it is recorded that they were sent. */
async function bothPaged(world: World, title: string) {
  const { telegram, pager } = world;
  await page(world, title);
  const messages = () => telegram.messages.filter(({ text }) => text.includes(title));
  await eventually('both are paged', () => messages().length === 2);
  const [incident] = (await incidentsOf(world)).toReversed();
  await eventually('both are recorded', async () => (await sentOf(world, incident.id)) === 2);
  const chats = messages().map(({ chatId }) => chatId);
  assert.deepEqual(chats.toSorted(), [chat, otherChat]);
  return { messages: messages(), incident, act: (verb: string) => actOn(pager, incident.id, verb) };
}

async function actOn({ api }: InProcess, id: string, verb: string): Promise<void> {
  const { status, body } = await api.send(`POST /incidents/${id}/${verb}`, {});
  assert.equal(status, 200, JSON.stringify(body));
}

const entriesOf = async ({ pager }: World, id: string, type: string) => {
  const { body } = await pager.api.send(`GET /incidents/${id}/timeline?limit=200`);
  return body.data.filter((each: { type: string }) => each.type === type);
};
const sentOf = async (world: World, id: string) =>
  (await entriesOf(world, id, 'notice_sent')).length;

test('everybody’s message shows who has the incident, and its end', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { telegram } = world;
  const { me } = await link(world);
  await addPerson(world, me.id);
  const { messages, act } = await bothPaged(world, 'Disk full');
  const all = (pattern: RegExp) => messages.every(({ text }) => pattern.test(text));
  await act('acknowledge');
  await eventually('both say who', () => all(/^Acknowledged by First key, /));
  assert.deepEqual(
    messages.map(({ edits }) => edits),
    [1, 1],
  );
  await act('unacknowledge');
  await eventually('both have their buttons again', () => all(/^Unacknowledged by First key, /));
  const count = telegram.messages.length;
  await act('resolve');
  await eventually('both say that it is over', () => all(/^Resolved by First key, /));
  assert.ok(messages.every(({ buttons }) => buttons.length === 0));
  const [other] = (await bothPaged(world, 'Disk slow')).messages;
  assert.ok(other);
  const since = telegram.messages.slice(count).map(({ text }) => text);
  assert.ok(!since.some((text) => /^Resolved/.test(text)), 'no all-clear beside the edits');
});

test('an edit that fails is tried again, and the end is sent where it cannot be', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { telegram } = world;
  const { me } = await link(world);
  await addPerson(world, me.id);
  const { messages, incident, act } = await bothPaged(world, 'Disk full');
  const [message] = messages;
  assert.ok(message);
  for (const how of [
    { type: 'too_many', retryAfter: 1 },
    { type: 'broken' },
    { type: 'answer_lost' },
  ] as const)
    telegram.misbehave('editMessageText', how);
  await act('acknowledge');
  const all = (pattern: RegExp) => messages.every(({ text }) => pattern.test(text));
  await eventually('both say who', () => all(/^Acknowledged by First key, /));
  await eventually('nothing is left to do', async () => {
    const [row] = await world.pager.sql`
      select count(*)::integer as left from posted
      where wake_at < now() + interval '10 minutes'`;
    return row?.['left'] === 0;
  });
  assert.deepEqual(await entriesOf(world, incident.id, 'edit_failed'), []);
  const description = 'Bad Request: message to edit not found';
  telegram.misbehave('editMessageText', { type: 'refuse', code: 400, description });
  await act('resolve');
  const allClears = () => telegram.messages.filter(({ text }) => /^Resolved\n/.test(text));
  await eventually('one is sent the end', () => allClears().length === 1);
  await eventually('the other is shown it', () =>
    messages.some(({ text }) => /^Resolved by/.test(text)),
  );
  const [entry] = await entriesOf(world, incident.id, 'edit_failed');
  assert.match(
    entry.text,
    /^The page to .+ in Telegram stays as it was, for it could not be changed: Telegram: /,
  );
  assert.equal(allClears().length, 1);
});

test('what is delivered twice acts once, and is answered twice', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { telegram } = world;
  await link(world);
  await page(world, 'Disk full');
  const [incident] = await incidentsOf(world);
  const answered = () => textsOf(telegram).filter((text) => text === 'Escalated: INC-1.');
  telegram.write(chat, 'escalate 1');
  await eventually('it is escalated', () => answered().length === 1);
  await telegram.polled();
  telegram.deliverAgain();
  await eventually('it is answered again', () => answered().length === 2);
  assert.equal((await entriesOf(world, incident.id, 'escalated')).length, 1);
  await telegram.polled();
  telegram.write(chat, 'escalate 1');
  await eventually('another is another one', async () => {
    return (await entriesOf(world, incident.id, 'escalated')).length === 2;
  });
});

test('what is pressed after a quiet week is heard', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { telegram } = world;
  await link(world);
  const message = await page(world, 'Disk full');
  await telegram.polled();
  telegram.endPoll();
  await telegram.polled();
  telegram.passWeek();
  for (const verb of ['Acknowledge', 'Resolve']) {
    const press = telegram.press(message.messageId, verb);
    await eventually(verb, () => telegram.answers.has(press));
    await eventually('the edit', () => message.text.startsWith(`${verb.replace(/e$/, '')}ed by`));
    await telegram.polled();
  }
  assert.equal((await incidentsOf(world))[0]?.status, 'resolved');
});

test('a bot that is blocked beside another takes no contact away', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { telegram, pager } = world;
  const { me } = await link(world);
  const other = { bot_token: `1${telegram.token}` };
  await pager.api.create('channel-connections', {
    name: 'Other',
    vendor: 'telegram',
    position: 2,
    secrets: other,
  });
  telegram.block(chat);
  telegram.start('999');
  await eventually('what came after it', () => telegram.messages.at(-1)?.chatId === '999');
  const { body } = await pager.api.send(`GET /users/${me.id}/contacts`);
  const contact = body.data.find((each: { channel: string }) => each.channel === 'telegram');
  assert.equal(contact.verified, true);
});

test('who is not known is answered what to do, and changes nothing', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { telegram } = world;
  const { code } = await link(world);
  await page(world, 'Disk full');
  telegram.start('999', code);
  telegram.write('999', 'ack 1');
  const answers = () => telegram.messages.filter(({ chatId }) => chatId === '999');
  await eventually('two answers', () => answers().length === 2);
  assert.match(answers()[0]?.text ?? '', /is invalid or has expired/);
  assert.match(answers()[1]?.text ?? '', /This chat is not linked/);
  const [incident] = await incidentsOf(world);
  assert.equal(incident.status, 'triggered');
  telegram.write('999', 'resolve 1');
  await eventually('another answer', () => answers().length === 3);
  const noted = await entriesOf(world, incident.id, 'refused');
  assert.deepEqual(
    noted.map(({ text }: { text: string }) => text),
    ['An unknown person in Telegram, Ada, tried to acknowledge and was refused'],
  );
  telegram.write(chat, 'ack');
  telegram.write(chat, 'ack 1');
  const isAnswered = (answer: string) => telegram.messages.some(({ text }) => text === answer);
  await eventually('it is acknowledged', () => isAnswered('Acknowledged: INC-1.'));
  assert.equal((await incidentsOf(world))[0].status, 'acknowledged');
});

const statesOf = async (world: World) =>
  (await incidentsOf(world)).map(({ status }: { status: string }) => status);

test('a reply is about the incident of its message', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { telegram, pager } = world;
  await link(world);
  const [linked] = telegram.messages;
  const first = await page(world, 'Disk full');
  const [incident] = await incidentsOf(world);
  await eventually('it is recorded', async () => (await sentOf(world, incident.id)) === 1);
  await actOn(pager, incident.id, 'resolve');
  const second = await page(world, 'Disk slow');
  const answer = async (words: string, to: number | undefined) => {
    const count = telegram.messages.length;
    telegram.write(chat, words, to);
    await eventually('the answer', () => telegram.messages.length > count);
    return telegram.messages[count]?.text ?? '';
  };
  assert.match(await answer('ack', first.messageId), /^Nothing was changed: .*resolved/);
  assert.equal(
    await answer('ack', linked?.messageId),
    'Nothing was changed. To acknowledge INC-2, send: 4 2',
  );
  assert.deepEqual(await statesOf(world), ['resolved', 'triggered']);
  const [, other] = await incidentsOf(world);
  await eventually('it is recorded, too', async () => (await sentOf(world, other.id)) === 1);
  assert.equal(await answer('ack', second.messageId), 'Acknowledged: INC-2.');
});

test('what was written long before acts only with a number or as a reply', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { telegram, written } = world;
  await link(world);
  const { messageId } = await page(world, 'Disk full');
  const [{ id }] = await incidentsOf(world);
  await eventually('it is recorded', async () => (await sentOf(world, id)) === 1);
  const isAnswered = (answer: string) => telegram.messages.some(({ text }) => text === answer);
  written.minutesAgo = 60;
  telegram.write(chat, 'ack');
  await eventually('a proposal', () =>
    isAnswered('Nothing was changed. To acknowledge INC-1, send: 4 1'),
  );
  assert.deepEqual(await statesOf(world), ['triggered']);
  telegram.write(chat, 'escalate', messageId);
  await eventually('the reply is done', () => isAnswered('Escalated: INC-1.'));
  written.minutesAgo = 0;
  telegram.write(chat, 'ack');
  await eventually('it is acknowledged', () => isAnswered('Acknowledged: INC-1.'));
});

test('a blocked bot ends the contact, and the next step is paged at once', async () => {
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

test('whoever blocks the bot is told by mail how to be paged there again', async () => {
  await using stack = new AsyncDisposableStack();
  const mail = stack.use(await startMailServer());
  const world = await start(stack, {
    PAGER_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    PAGER_MAIL_FROM: 'Pager <pager@example.test>',
  });
  await link(world);
  world.telegram.block(chat);
  const { to, subject, text } = await mail.arrival('the mail', (one) =>
    /no longer works/.test(one.subject),
  );
  assert.equal(to, 'owner@example.test');
  assert.match(subject, /: Telegram chat …4711$/);
  assert.match(text, /the bot was blocked in Telegram\. Unblock the bot/);
  assert.ok(text.includes(`${world.pager.url}/me`));
});

test('a token that Telegram refuses is shown where it is mended', async () => {
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

test('while Telegram answers nothing a page that it may have taken is not sent again', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { telegram, pager } = world;
  await link(world);
  const copies = () => textsOf(telegram).filter((text) => text.includes('Disk full'));
  const tries = async () => (await pager.sql`select from attempts where outcome = 'retry'`).length;
  telegram.loseAnswers();
  await page(world, 'Disk full');
  await eventually('it is tried again', async () => (await tries()) >= 3);
  assert.equal(copies().length, 1);
  telegram.comeBack();
  const isSent = async () => {
    const sent = await pager.sql`select from attempts where outcome = 'delivered'`;
    return sent.length > 0;
  };
  await eventually('it is sent again', isSent);
  assert.equal(copies().length, 2);
});

test('a page whose answers alone are lost is sent twice, then after a minute', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { telegram, pager } = world;
  await link(world);
  for (const _each of Array(2).keys()) telegram.misbehave('sendMessage', { type: 'answer_lost' });
  await page(world, 'Disk full');
  const wait = await eventually('the wait after the second', async () => {
    const [row] = await pager.sql<{ seconds: number }[]>`
      select extract(epoch from o.wake_at - a.finished_at)::float as seconds
      from outbox o join attempts a on a.organization_id = o.organization_id and a.key = o.key
      where o.channel = 'telegram' and a.number = 2 and o.attempts = 2 and a.finished_at is not null`;
    return row;
  });
  assert.equal(Math.round(wait.seconds), 60);
});
