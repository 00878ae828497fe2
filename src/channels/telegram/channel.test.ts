import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type FakeTelegram,
  type Misbehaviour,
  startFakeTelegram,
} from '../../../test/vendors/telegram.ts';
import type { Attempt } from '../../engine/sending/channel.ts';
import { sampleNotice } from '../../notices/kinds/incident.ts';
import { noLanes } from '../lanes.ts';
import { createVendorHttp } from '../vendor-http.ts';
import { createTelegram, type TelegramConnection } from './channel.ts';

const chat = '42';
const page = sampleNotice();

/** Of another bot, which Telegram does not know. */
const wrongToken = `1:${'x'.repeat(35)}`;

const botOf = (telegram: FakeTelegram, id: string, bot_token = telegram.token) =>
  ({ organization_id: 'o1', id, name: `bot ${id}`, secrets: { bot_token } }) as const;

async function start(stack: AsyncDisposableStack, totalTimeoutMs = 10_000) {
  const telegram = stack.use(await startFakeTelegram());
  telegram.start(chat);
  const connections: TelegramConnection[] = [botOf(telegram, 'first')];
  const answers: string[] = [];
  const losses: string[] = [];
  const bots = createTelegram({
    baseUrl: telegram.url,
    http: createVendorHttp({ totalTimeoutMs }),
    lanes: noLanes,
    connectionsOf: async () => connections,
    inTurn: async (all) => all,
    answered: async ({ id }, { kind }) => void answers.push(`${id} ${kind}`),
    lost: async ({ address }, { state }) => void losses.push(`${address} ${state}`),
  });
  return { telegram, bots, connections, answers, losses };
}

const troubles: readonly [Misbehaviour, wait: number | undefined, noted: readonly string[]][] = [
  [{ type: 'too_many', retryAfter: 7 }, 7, []],
  [{ type: 'broken' }, undefined, ['first outage']],
  [{ type: 'hang' }, undefined, ['first outage']],
  [{ type: 'reset' }, undefined, ['first outage']],
  [{ type: 'answer_lost' }, undefined, ['first outage']],
];
for (const [trouble, wait, noted] of troubles)
  test(`it is tried again after ${Object.values(trouble).join(' ')}`, async () => {
    await using stack = new AsyncDisposableStack();
    const { telegram, bots, answers, losses } = await start(
      stack,
      trouble.type === 'hang' ? 200 : undefined,
    );
    telegram.misbehave('sendMessage', trouble);
    const delivery = await bots.send(page, chat);
    assert.ok(delivery.outcome === 'no_answer', JSON.stringify(delivery));
    assert.equal(delivery.retryAfterSeconds, wait);
    assert.equal(delivery.maybeTaken, trouble.type === 'too_many' ? undefined : true);
    assert.deepEqual([answers, losses], [noted, []]);
  });

/** After one that Telegram may have taken. */
const again: Attempt = {
  handle: 'h1',
  earlier: [],
  thread: null,
  maybeTaken: true,
  until: Temporal.Now.instant().add({ seconds: 60 }),
  isWanted: async () => true,
};

for (const trouble of [{ type: 'hang' }, { type: 'answer_lost' }, { type: 'broken' }] as const)
  test(`what Telegram may have taken is sent again once it answers: ${trouble.type}`, async () => {
    await using stack = new AsyncDisposableStack();
    const { telegram, bots, connections, answers } = await start(stack, 200);
    connections.push(botOf(telegram, 'second'));
    telegram.misbehave('getMe', trouble);
    const delivery = await bots.send(page, chat, again);
    assert.ok(delivery.outcome === 'no_answer', JSON.stringify(delivery));
    assert.equal(delivery.maybeTaken, undefined);
    assert.deepEqual([telegram.messages.length, answers], [0, ['first outage']]);
    assert.equal((await bots.send(page, chat, again)).outcome, 'delivered');
    assert.equal(telegram.messages.length, 1);
  });

test('a token that is refused does not keep the next bot from sending it again', async () => {
  await using stack = new AsyncDisposableStack();
  const { telegram, bots, connections } = await start(stack);
  connections.unshift(botOf(telegram, 'wrong', wrongToken));
  assert.equal((await bots.send(page, chat, again)).outcome, 'delivered');
  assert.equal(telegram.messages.length, 1);
});

for (const [code, description] of [
  [400, 'Bad Request: something new'],
  [402, 'Payment Required'],
  [406, 'Not Acceptable'],
  [418, "I'm a teapot"],
  [451, 'Unavailable For Legal Reasons'],
] as const)
  test(`after ${code}, which is not known, the next bot sends; without one it fails`, async () => {
    await using stack = new AsyncDisposableStack();
    const { telegram, bots, connections, answers, losses } = await start(stack);
    telegram.misbehave('sendMessage', { type: 'refuse', code, description });
    const end = await bots.send(page, chat);
    assert.ok(end.outcome === 'failed', JSON.stringify(end));
    assert.match(end.reason, new RegExp(`the request was rejected \\(${code}: `));
    connections.push(botOf(telegram, 'second'));
    telegram.misbehave('sendMessage', { type: 'refuse', code, description });
    const delivery = await bots.send(page, chat);
    assert.ok(delivery.outcome === 'delivered');
    assert.equal(delivery.posted?.[0]?.connectionId, 'second');
    assert.deepEqual(answers, ['first unexplained', 'first unexplained', 'second ok']);
    assert.deepEqual(losses, []);
  });

test('a token that is refused takes no contact away, and the next bot sends', async () => {
  await using stack = new AsyncDisposableStack();
  const { telegram, bots, connections, answers, losses } = await start(stack);
  connections.unshift(botOf(telegram, 'wrong', wrongToken));
  const delivery = await bots.send(page, chat);
  assert.ok(delivery.outcome === 'delivered');
  assert.equal(delivery.posted?.[0]?.connectionId, 'first');
  assert.deepEqual(answers, ['wrong refusal', 'first ok']);
  telegram.revokeToken();
  const end = await bots.send(page, chat);
  assert.ok(end.outcome === 'failed');
  assert.match(end.reason, /set bot_token to/);
  assert.deepEqual(losses, []);
});

test('of two bots the second sends while the first gets too much, not while Telegram fails', async () => {
  await using stack = new AsyncDisposableStack();
  const { telegram, bots, connections } = await start(stack);
  connections.push(botOf(telegram, 'second'));
  telegram.misbehave('sendMessage', { type: 'too_many', retryAfter: 7 });
  const delivery = await bots.send(page, chat);
  assert.ok(delivery.outcome === 'delivered');
  assert.equal(delivery.posted?.[0]?.connectionId, 'second');
  telegram.misbehave('sendMessage', { type: 'answer_lost' });
  assert.equal((await bots.send(page, chat)).outcome, 'no_answer');
  assert.equal(telegram.messages.length, 2, 'it may have been sent: nobody sends it beside');
});

test('who has blocked the only bot is lost', async () => {
  await using stack = new AsyncDisposableStack();
  const { telegram, bots, answers, losses } = await start(stack);
  telegram.block(chat);
  const delivery = await bots.send(page, chat);
  assert.ok(delivery.outcome === 'failed');
  assert.match(delivery.reason, /blocked the bot/);
  // A person who has blocked it shows that Telegram works.
  assert.deepEqual([answers, losses], [['first ok'], ['42 blocked']]);
});

const refusal = (code: number, description: string): Misbehaviour => ({
  type: 'refuse',
  code,
  description,
});
const blocked = refusal(403, 'Forbidden: bot was blocked by the user');
const notFound = refusal(400, 'Bad Request: chat not found');

const severalBots: readonly (readonly [
  what: string,
  first: Misbehaviour,
  second: Misbehaviour,
  losses: readonly string[],
])[] = [
  ['who has blocked both bots is lost', blocked, blocked, ['42 blocked']],
  ['who has blocked the only bot that they started is lost', notFound, blocked, ['42 blocked']],
  ['whom no bot knows is lost', notFound, notFound, ['42 gone']],
  ['a bot whose token is refused may reach them', refusal(401, 'Unauthorized'), blocked, []],
  ['a bot that gets too much may reach them', blocked, { type: 'too_many', retryAfter: 7 }, []],
  ['a bot that fails may reach them', blocked, { type: 'broken' }, []],
  ['a bot that may not write says nothing of why', blocked, refusal(403, 'Forbidden'), []],
];
for (const [what, first, second, expected] of severalBots)
  test(`of two bots: ${what}`, async () => {
    await using stack = new AsyncDisposableStack();
    const { telegram, bots, connections, losses } = await start(stack);
    connections.push(botOf(telegram, 'second'));
    for (const how of [first, second]) telegram.misbehave('sendMessage', how);
    assert.notEqual((await bots.send(page, chat)).outcome, 'delivered');
    assert.deepEqual(losses, expected);
  });

test('without a bot nothing is sent, and what another has sent stays as it is', async () => {
  await using stack = new AsyncDisposableStack();
  const { bots, connections } = await start(stack);
  const sent = await bots.send(page, chat);
  assert.ok(sent.outcome === 'delivered' && sent.posted?.[0]);
  connections.length = 0;
  assert.deepEqual(await bots.send(page, chat), {
    outcome: 'failed',
    reason: 'no Telegram connection is set up',
  });
  assert.equal((await bots.show(page, sent.posted[0])).outcome, 'failed');
});
