import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerHandles } from '../../../test/answer-handles.ts';
import {
  type FakeDiscord,
  type Misbehaviour,
  startFakeDiscord,
} from '../../../test/vendors/discord.ts';
import type { Attempt, PostedMessage } from '../../engine/sending/channel.ts';
import { sampleNotice } from '../../notices/kinds/incident.ts';
import { sampleShiftNotice } from '../../notices/kinds/shift.ts';
import { type LanePort, noLanes } from '../lanes.ts';
import { createVendorHttp } from '../vendor-http.ts';
import { createDiscord } from './channel.ts';

const channel = '845027738276400001';
const { links: _links, ...page } = sampleNotice({ handles: answerHandles, mention: '@here' });
const noon = Temporal.Instant.from('2026-11-21T12:00:00Z');

async function start(stack: AsyncDisposableStack, lanes: LanePort = noLanes) {
  const discord = stack.use(await startFakeDiscord({ now: () => noon }));
  discord.addChannel(channel);
  const answers: string[] = [];
  const reasons: string[] = [];
  const connections = [connectionOf(discord, 'first')];
  const bot = createDiscord({
    baseUrl: discord.url,
    http: createVendorHttp(),
    lanes,
    connectionsOf: async () => connections,
    inTurn: async (all) => all,
    async answered({ id }, answer) {
      answers.push(answer.kind);
      if (answer.kind === 'refusal') reasons.push(`${id}: ${answer.reason}`);
    },
  });
  return { discord, bot, answers, reasons, connections };
}

const connectionOf = (discord: FakeDiscord, id: string, bot_token = discord.botToken) => ({
  organization_id: 'o1',
  id,
  name: `bot ${id}`,
  settings: {},
  secrets: { bot_token },
});

const attemptOf = (attempt: Partial<Attempt> = {}): Attempt => ({
  handle: 'h1',
  once: 'notice-1',
  earlier: [],
  thread: null,
  until: noon,
  isWanted: async () => true,
  ...attempt,
});

type Bot = ReturnType<typeof createDiscord>;

async function posted(bot: Bot): Promise<PostedMessage> {
  const delivery = await bot.send(page, channel);
  assert.ok(delivery.outcome === 'delivered' && delivery.posted?.[0], JSON.stringify(delivery));
  return delivery.posted[0];
}

test('a page is a post with a mention and the buttons of its state', async () => {
  await using stack = new AsyncDisposableStack();
  const { discord, bot } = await start(stack);
  const post = await posted(bot);
  const [message] = discord.messages;
  assert.deepEqual(post, { connectionId: 'first', place: channel, messageId: message?.id });
  assert.deepEqual(
    message?.buttons.map(({ label, custom_id }) => [label, custom_id]),
    [
      ['Acknowledge', 'a1'],
      ['Resolve', 'r1'],
      ['Escalate', 'e1'],
      ['Call webhook…', 'w1'],
      ['Run playbook…', 'p1'],
    ],
  );
  assert.deepEqual(message?.mentions, ['@here']);
  assert.equal(message?.content, '@here Incident triggered: INC-42 Disk full on \\<db-1\\>');
});

test('nothing of an alert is a mention', async () => {
  await using stack = new AsyncDisposableStack();
  const { discord, bot } = await start(stack);
  const title = '@everyone <@1234> <@&77> @here';
  const notice = sampleNotice({ handles: answerHandles }, { title, details: title });
  const sent = await bot.send(notice, channel);
  assert.ok(sent.outcome === 'delivered' && sent.posted?.[0]);
  const taken = { action: 'Resolved', by: '@everyone', at: noon };
  assert.equal((await bot.show({ ...notice, taken }, sent.posted[0])).outcome, 'delivered');
  assert.equal((await bot.comment({ ...notice, taken }, sent.posted[0])).outcome, 'delivered');
  assert.deepEqual(
    discord.messages.map(({ mentions }) => mentions),
    [[], []],
  );
  assert.doesNotMatch(discord.messages.map(({ content }) => content).join(), /@everyone|<@[!&]?\d/);
});

test('what Discord may have taken is not posted twice', async () => {
  await using stack = new AsyncDisposableStack();
  const { discord, bot } = await start(stack);
  discord.misbehave('POST /channels/:id/messages', { type: 'answer_lost' });
  const lost = await bot.send(page, channel, attemptOf());
  assert.deepEqual([lost.outcome, 'maybeTaken' in lost], ['no_answer', false]);
  const again = await bot.send(page, channel, attemptOf({ handle: 'h2', maybeTaken: true }));
  assert.ok(again.outcome === 'delivered');
  assert.deepEqual(
    again.posted?.map(({ messageId }) => messageId),
    [discord.messages[0]?.id],
  );
  assert.equal(discord.messages.length, 1);
  const other = await bot.send(page, channel, attemptOf({ once: 'notice-2' }));
  assert.equal(other.outcome, 'delivered');
  assert.equal(discord.messages.length, 2);
});

test('a later step stands in the thread of the first post', async () => {
  await using stack = new AsyncDisposableStack();
  const { discord, bot } = await start(stack);
  const thread = await posted(bot);
  for (const once of ['step-2', 'step-3']) {
    const delivery = await bot.send(page, channel, attemptOf({ once, thread }));
    assert.ok(delivery.outcome === 'delivered');
    assert.equal(delivery.posted, undefined, 'the post above is kept up to date, and no other');
  }
  assert.deepEqual([...discord.threads], [[thread.messageId, 'INC-42 Disk full on <db-1>']]);
  const [, ...replies] = discord.messages;
  for (const reply of replies)
    assert.deepEqual(
      [reply.channelId, reply.buttons, reply.mentions],
      [thread.messageId, [], ['@here']],
    );
  assert.equal(replies.length, 2);
});

test('where the bot may open no thread, a later step is a reply in the channel', async () => {
  await using stack = new AsyncDisposableStack();
  const { discord, bot } = await start(stack);
  const thread = await posted(bot);
  discord.forbid(channel, 'mayOpenThreads');
  assert.equal((await bot.send(page, channel, attemptOf({ thread }))).outcome, 'delivered');
  const reply = discord.messages[1];
  assert.deepEqual([reply?.channelId, reply?.repliesTo], [channel, thread.messageId]);
});

test('where the first post was deleted, or its bot is gone, a new one is posted', async () => {
  await using stack = new AsyncDisposableStack();
  const { discord, bot } = await start(stack);
  const thread = await posted(bot);
  discord.deleteMessage(thread.messageId);
  for (const gone of [thread, { ...thread, connectionId: 'removed' }]) {
    const attempt = attemptOf({ thread: gone, once: `instead of ${gone.connectionId}` });
    const delivery = await bot.send(page, channel, attempt);
    assert.ok(delivery.outcome === 'delivered' && delivery.posted?.length === 1);
  }
  assert.deepEqual(
    discord.messages.map(({ channelId }) => channelId),
    [channel, channel],
  );
});

test('a post that somebody deleted is posted anew when its incident changes, and mentions nobody', async () => {
  await using stack = new AsyncDisposableStack();
  const { discord, bot } = await start(stack);
  const post = await posted(bot);
  discord.deleteMessage(post.messageId);
  const incident = { ...page.incident, status: 'acknowledged' } as const;
  const taken = { action: 'Acknowledged', by: 'Ada', at: noon };
  const shown = await bot.show({ ...page, incident, taken }, post);
  const again = await bot.show({ ...page, incident, taken }, post);
  const [message, ...others] = discord.messages;
  assert.match(message?.content ?? '', /^Acknowledged by Ada/);
  assert.deepEqual([message?.mentions, others], [[], []]);
  const insteadBy = { ...post, messageId: message?.id };
  assert.deepEqual([shown, again], Array(2).fill({ outcome: 'delivered', insteadBy }));
});

test('a post shows who acted by an edit, and says it in a line below', async () => {
  await using stack = new AsyncDisposableStack();
  const { discord, bot } = await start(stack);
  const post = await posted(bot);
  const taken = { action: 'Acknowledged', by: 'Ada', via: 'phone', at: noon };
  const incident = { ...page.incident, status: 'acknowledged' } as const;
  const notice = { ...page, incident, taken };
  assert.equal((await bot.show(notice, post)).outcome, 'delivered');
  assert.equal((await bot.comment(notice, post)).outcome, 'delivered');
  const [message, line] = discord.messages;
  assert.match(
    message?.content ?? '',
    /^@here Acknowledged by Ada \\\(phone\\\), 12:00 UTC: INC-42/,
  );
  assert.match(message?.shown ?? '', /\*\*Acknowledged by Ada \\\(phone\\\), <t:1795262400:t>\*\*/);
  assert.deepEqual(
    message?.buttons.map(({ label }) => label),
    ['Resolve', 'Unacknowledge', 'Call webhook…', 'Run playbook…'],
  );
  assert.equal(line?.content, 'Acknowledged by Ada \\(phone\\), <t:1795262400:t>');
  assert.equal(line?.channelId, post.messageId);
  const resolved = { ...notice, incident: { ...incident, status: 'resolved' } } as const;
  await bot.show(resolved, post);
  assert.deepEqual(message?.buttons, []);
});

test('a line in the thread of a post names the alerts that joined, and mentions nobody', async () => {
  await using stack = new AsyncDisposableStack();
  const { discord, bot } = await start(stack);
  const post = await posted(bot);
  const joined = { count: 1, titles: ['@everyone Load is high'], total: 2 };
  assert.equal((await bot.comment({ ...page, joined }, post)).outcome, 'delivered');
  const [, line] = discord.messages;
  assert.equal(line?.channelId, post.messageId);
  assert.match(line?.content ?? '', /^1 more alert joined: .+Load is high\. 2 in all\.$/);
  assert.deepEqual(line?.mentions, []);
});

test('where the bot may open no thread, the alerts that joined are named nowhere', async () => {
  await using stack = new AsyncDisposableStack();
  const { discord, bot } = await start(stack);
  const post = await posted(bot);
  discord.forbid(channel, 'mayOpenThreads');
  const joined = { count: 1, titles: ['Load is high'], total: 2 };
  assert.equal((await bot.comment({ ...page, joined }, post)).outcome, 'failed');
  assert.equal(discord.messages.length, 1);
});

test('a shift is posted without buttons', async () => {
  await using stack = new AsyncDisposableStack();
  const { discord, bot } = await start(stack);
  assert.equal((await bot.send(sampleShiftNotice(), channel)).outcome, 'delivered');
  assert.deepEqual(discord.messages[0]?.buttons, []);
});

const post = 'POST /channels/:id/messages';
const refusal = (status: number, code: number): Misbehaviour => ({ type: 'refuse', status, code });

for (const { title, how, outcome, blame, health } of [
  {
    title: 'a deleted channel',
    how: refusal(404, 10003),
    outcome: 'failed',
    blame: 'contact',
    health: 'ok',
  },
  {
    title: 'a hidden channel',
    how: refusal(403, 50001),
    outcome: 'failed',
    blame: 'contact',
    health: 'ok',
  },
  {
    title: 'a missing permission',
    how: refusal(403, 50013),
    outcome: 'failed',
    blame: 'contact',
    health: 'ok',
  },
  {
    title: 'a token that is not valid',
    how: refusal(401, 0),
    outcome: 'failed',
    blame: 'connection',
    health: 'refusal',
  },
  {
    title: 'an error that is not known',
    how: refusal(400, 99_999),
    outcome: 'failed',
    blame: undefined,
    health: 'unexplained',
  },
  {
    title: 'slow mode',
    how: refusal(400, 20016),
    outcome: 'no_answer',
    blame: undefined,
    health: undefined,
  },
  {
    title: 'an outage',
    how: { type: 'broken' },
    outcome: 'no_answer',
    blame: undefined,
    health: 'outage',
  },
] as const)
  test(`${title} is ${outcome}, and the connection ${health ?? 'as before'}`, async () => {
    await using stack = new AsyncDisposableStack();
    const { discord, bot, answers } = await start(stack);
    discord.misbehave(post, how);
    const delivery = await bot.send(page, channel, attemptOf());
    assert.equal(delivery.outcome, outcome);
    assert.equal('blame' in delivery ? delivery.blame : undefined, blame);
    assert.deepEqual(answers, health === undefined ? [] : [health]);
  });

test('an embed that Discord refuses is left out', async () => {
  await using stack = new AsyncDisposableStack();
  const { discord, bot } = await start(stack);
  discord.misbehave(post, refusal(400, 50035));
  assert.equal((await bot.send(page, channel, attemptOf())).outcome, 'delivered');
  const [message] = discord.messages;
  assert.equal(message?.shown, message?.content);
  assert.equal(message?.buttons.length, 5);
});

test('a bot that is in no server any more is a connection that has to change', async () => {
  await using stack = new AsyncDisposableStack();
  const { discord, bot, reasons } = await start(stack);
  discord.leaveGuild(discord.guildId);
  const delivery = await bot.send(page, channel, attemptOf());
  assert.ok(delivery.outcome === 'failed' && delivery.blame === 'connection');
  assert.match(reasons[0] ?? '', /^first: Discord: the bot is in no server/);
});

test('the next connection posts what the first one cannot', async () => {
  await using stack = new AsyncDisposableStack();
  const { discord, bot, connections, answers } = await start(stack);
  connections.unshift(connectionOf(discord, 'revoked', `${discord.botToken}x`));
  assert.equal((await posted(bot)).connectionId, 'first');
  assert.deepEqual(answers, ['refusal', 'ok']);
});

test('without a connection nothing is sent', async () => {
  await using stack = new AsyncDisposableStack();
  const { bot, connections } = await start(stack);
  connections.length = 0;
  const delivery = await bot.send(page, channel);
  assert.deepEqual(delivery, { outcome: 'failed', reason: 'no Discord connection is set up' });
});

test('a route is held once nothing remains of it, and the bot where all is too much', async () => {
  await using stack = new AsyncDisposableStack();
  const held: [string, number | undefined][] = [];
  const turns: string[][] = [];
  const { discord, bot } = await start(stack, {
    async turn(_connection, lanes) {
      turns.push(lanes.map(({ name }) => name));
      return { isFree: true, isFirst: false, hasWaited: false };
    },
    hold: async (_connection, lane, seconds) => void held.push([lane, seconds]),
  });
  const send = (once: string) => bot.send(page, channel, attemptOf({ once }));
  for (const nth of ['1', '2', '3', '4']) await send(nth);
  assert.deepEqual(held, []);
  await send('5');
  const lane = `discord post ${channel}`;
  assert.deepEqual(held, [[lane, 5]]);
  const delivery = await send('6');
  assert.equal(delivery.outcome, 'no_answer');
  assert.deepEqual(held.slice(1), [
    [lane, 5],
    [lane, 5],
  ]);
  discord.misbehave(post, { type: 'too_many', retryAfter: 0.3, isGlobal: true });
  await send('7');
  assert.deepEqual(held.at(-1), ['discord', 1]);
  assert.deepEqual(turns[0], ['discord', lane]);
});
