import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerHandles } from '../../../test/answer-handles.ts';
import {
  type FakeTeams,
  type Misbehaviour,
  startFakeTeams,
} from '../../../test/vendors/msteams.ts';
import { systemClock } from '../../engine/clock.ts';
import type { Attempt, PostedMessage } from '../../engine/sending/channel.ts';
import { sampleNotice } from '../../notices/kinds/incident.ts';
import { sampleShiftNotice } from '../../notices/kinds/shift.ts';
import { type LanePort, noLanes } from '../lanes.ts';
import { createVendorHttp } from '../vendor-http.ts';
import { createTeams, type TeamsConnection } from './channel.ts';
import { checkTeams } from './check.ts';

const team = '19:team@thread.tacv2';
const channel = '19:ops@thread.tacv2';
const { links: _links, ...page } = sampleNotice({
  handles: answerHandles,
  mention: 'ada@acme.test',
});

async function start(stack: AsyncDisposableStack, totalTimeoutMs = 10_000) {
  const teams = stack.use(await startFakeTeams());
  teams.addTeam(team, 'Shop', { [team]: 'General', [channel]: 'ops' });
  const refusals: string[] = [];
  const answers: string[] = [];
  const lanes: string[][] = [];
  const held: string[] = [];
  const recording: LanePort = {
    async turn(connection, wanted, until) {
      lanes.push(wanted.map(({ name, perSecond }) => `${name} ${perSecond}`));
      return noLanes.turn(connection, wanted, until);
    },
    async hold(_connection, lane, seconds) {
      held.push(`${lane} ${seconds}`);
    },
  };
  const connections = [connectionOf(teams, 'first')];
  const way = {
    baseUrl: teams.url,
    clock: systemClock,
    http: createVendorHttp({ totalTimeoutMs }),
  };
  const bot = createTeams({
    ...way,
    lanes: recording,
    connectionsOf: async () => connections,
    inTurn: async (all) => all,
    async answered({ id }, answer) {
      answers.push(answer.kind);
      if (answer.kind === 'refusal') refusals.push(`${id}: ${answer.reason}`);
    },
  });
  return { teams, bot, way, refusals, answers, connections, lanes, held };
}

const connectionOf = (
  { appId, tenantId, clientSecret }: FakeTeams,
  id: string,
  secret = clientSecret,
): TeamsConnection => ({
  organization_id: 'o1',
  id,
  name: `bot ${id}`,
  settings: { app_id: appId, tenant_id: tenantId },
  secrets: { client_secret: secret },
});

const attemptIn = (thread: PostedMessage | null): Attempt => ({
  handle: 'h1',
  earlier: [],
  thread,
  until: Temporal.Now.instant().add({ seconds: 60 }),
  isWanted: async () => true,
});

async function posted(bot: ReturnType<typeof createTeams>): Promise<PostedMessage> {
  const delivery = await bot.send(page, channel);
  assert.ok(delivery.outcome === 'delivered' && delivery.posted?.[0], JSON.stringify(delivery));
  return delivery.posted[0];
}

const titles = ({ buttons = [] }: { buttons?: readonly { title: string }[] } = {}) =>
  buttons.map(({ title }) => title);

const tokensIssued = ({ calls }: FakeTeams) =>
  calls.filter((call) => call.endsWith('/oauth2/v2.0/token')).length;

test('a page is a card with a mention and the buttons of its state', async () => {
  await using stack = new AsyncDisposableStack();
  const { teams, bot, lanes } = await start(stack);
  const post = await posted(bot);
  const [message] = teams.messages;
  assert.deepEqual(post, {
    connectionId: 'first',
    place: message?.conversation,
    messageId: message?.id,
  });
  assert.ok(post.place.startsWith(`${channel};messageid=`));
  assert.match(message?.shown ?? '', /Incident triggered\nINC-42 Disk full on <db-1>/);
  assert.match(message?.summary ?? '', /Incident triggered: INC-42 Disk full on <db-1>/);
  assert.deepEqual(message?.mentions, ['ada@acme.test']);
  assert.deepEqual(titles(message), [
    'Acknowledge',
    'Resolve',
    'Escalate',
    'Call webhook…',
    'Run playbook…',
  ]);
  assert.deepEqual(message?.buttons[0]?.data, { handle: 'a1' });
  assert.deepEqual(lanes, [['msteams 50', `msteams ${channel} 1`]]);
});

test('a later step stands below the post, and an edit shows who did what', async () => {
  await using stack = new AsyncDisposableStack();
  const { teams, bot } = await start(stack);
  const post = await posted(bot);
  const later = await bot.send(page, channel, attemptIn(post));
  assert.ok(later.outcome === 'delivered' && later.posted === undefined);
  const taken = {
    action: 'Acknowledged',
    by: 'Ada',
    via: 'phone',
    at: Temporal.Instant.from('2026-11-21T03:12:40Z'),
  };
  const incident = { ...page.incident, status: 'acknowledged' as const };
  const acknowledged = { ...page, incident, taken };
  assert.equal((await bot.show(acknowledged, post)).outcome, 'delivered');
  assert.equal((await bot.comment(acknowledged, post)).outcome, 'delivered');
  const [message, step, line] = teams.messages;
  assert.deepEqual([step?.isReply, step?.conversation, titles(step)], [true, post.place, []]);
  assert.match(message?.shown ?? '', /Acknowledged by Ada \(phone\), 03:12 UTC/);
  assert.deepEqual(
    [message?.edits, titles(message).slice(0, 2)],
    [1, ['Resolve', 'Unacknowledge']],
  );
  assert.deepEqual([line?.shown, line?.isReply], ['Acknowledged by Ada (phone), 03:12 UTC', true]);
  const { handles: _none, ...rest } = page;
  const resolved = { ...rest, incident: { ...page.incident, status: 'resolved' as const } };
  assert.equal((await bot.show(resolved, post)).outcome, 'delivered');
  assert.deepEqual([titles(message), message?.refresh], [[], null]);
  const gone = await bot.show(resolved, { ...post, messageId: '1' });
  assert.equal(gone.outcome, 'failed');
});

test('a line below a post names the alerts that joined, and mentions nobody', async () => {
  await using stack = new AsyncDisposableStack();
  const { teams, bot } = await start(stack);
  const post = await posted(bot);
  const joined = { count: 2, titles: ['<at>Ada</at> **Load**', 'Swap'], total: 3 };
  assert.equal((await bot.comment({ ...page, joined }, post)).outcome, 'delivered');
  const [, line] = teams.messages;
  assert.deepEqual([line?.isReply, line?.conversation], [true, post.place]);
  const text = '2 more alerts joined: <at>Ada</at> **Load**, Swap. 3 in all.';
  assert.deepEqual([line?.shown, line?.summary, line?.mentions], [text, text, []]);
});

test('one token serves many requests, and a new one is requested when it is refused', async () => {
  await using stack = new AsyncDisposableStack();
  const { teams, bot, answers } = await start(stack);
  await posted(bot);
  await posted(bot);
  assert.equal(tokensIssued(teams), 1);
  teams.expireTokens();
  await posted(bot);
  assert.equal(tokensIssued(teams), 2);
  assert.deepEqual(answers, ['ok', 'ok', 'ok']);
});

for (const [what, how] of [
  ['does not answer', { type: 'hang' }],
  ['has failed', { type: 'broken' }],
  ['gets too much', { type: 'refuse', status: 429, code: 'TooManyRequests', retryAfter: 1 }],
] as const)
  test(`a check while the authority ${what} leaves the bot its token`, async () => {
    await using stack = new AsyncDisposableStack();
    const { teams, bot, way } = await start(stack, 300);
    await posted(bot);
    teams.misbehave(`POST /${teams.tenantId}`, how);
    const checked = await checkTeams({ ...way, callbackUrl: null }, connectionOf(teams, 'first'));
    assert.equal(checked.checks[0]?.ok, false);
    const requested = tokensIssued(teams);
    await posted(bot);
    assert.equal(tokensIssued(teams), requested, 'none is requested');
  });

test('a check that the authority refuses leaves the bot no token', async () => {
  await using stack = new AsyncDisposableStack();
  const { teams, bot, way } = await start(stack);
  await posted(bot);
  teams.revokeSecret();
  await checkTeams({ ...way, callbackUrl: null }, connectionOf(teams, 'first'));
  const before = teams.calls.length;
  assert.equal((await bot.send(page, channel)).outcome, 'failed');
  assert.deepEqual(teams.calls.slice(before), [`POST /${teams.tenantId}/oauth2/v2.0/token`]);
});

test('a request that is refused twice blames the connection, and the next bot posts', async () => {
  await using stack = new AsyncDisposableStack();
  const { teams, bot, refusals, connections } = await start(stack);
  for (const _ of [1, 2])
    teams.misbehave('POST /v3/conversations', {
      type: 'refuse',
      status: 401,
      code: 'Unauthorized',
    });
  connections.push(connectionOf(teams, 'second'));
  const delivery = await bot.send(page, channel);
  assert.ok(delivery.outcome === 'delivered');
  assert.equal(delivery.posted?.[0]?.connectionId, 'second');
  assert.match(refusals[0] ?? '', /^first: .*token was rejected.*client_secret/);
});

test('a wrong secret is named where it is mended, and never shown', async () => {
  await using stack = new AsyncDisposableStack();
  const { teams, bot, way, refusals, connections } = await start(stack);
  connections.splice(0, 1, connectionOf(teams, 'wrong', 'a-secret-that-is-wrong'));
  const delivery = await bot.send(page, channel);
  assert.ok(delivery.outcome === 'failed');
  assert.match(refusals[0] ?? '', /^wrong: .*client secret is not valid.*AADSTS7000215/);
  assert.doesNotMatch(JSON.stringify([delivery, refusals]), /a-secret-that/);
  const [wrong] = connections;
  assert.ok(wrong);
  const checked = await checkTeams({ ...way, callbackUrl: null }, wrong);
  assert.deepEqual([checked.account, checked.checks[0]?.ok], [null, false]);
});

test('a check says whether the bot has a token, and whether Teams can call Pager', async () => {
  await using stack = new AsyncDisposableStack();
  const { teams, way } = await start(stack);
  const connection = connectionOf(teams, 'c1');
  const check = async (callbackUrl: string | null) =>
    (await checkTeams({ ...way, callbackUrl }, connection)).checks.map(({ ok, message }) => [
      ok,
      message,
    ]);
  const accepted = [true, 'Microsoft accepts the app ID and the secret.'];
  const endpoint = 'https://pager.test/callbacks/msteams/c1';
  assert.deepEqual(await check('https://pager.test'), [
    accepted,
    [true, `The messaging endpoint of the bot must be ${endpoint}`],
  ]);
  const [first, second] = await check(null);
  assert.deepEqual([first, second?.[0]], [accepted, false]);
  assert.match(String(second?.[1]), /PAGER_PUBLIC_URL/);
});

for (const [status, code, reason] of [
  [403, 'BotNotInConversationRoster', /not installed in the team/],
  [404, 'ConversationNotFound', /does not exist/],
  [403, 'Unheard', /not installed/],
] as const)
  test(`${status} ${code} blames the channel, and no health`, async () => {
    await using stack = new AsyncDisposableStack();
    const { teams, bot, refusals, answers } = await start(stack);
    teams.misbehave('POST /v3/conversations', { type: 'refuse', status, code });
    const delivery = await bot.send(page, channel);
    assert.ok(delivery.outcome === 'failed' && delivery.blame === 'contact');
    assert.match(delivery.reason, reason);
    assert.deepEqual([refusals, answers], [[], ['ok']]);
  });

test('a team that removed the bot is posted to no more', async () => {
  await using stack = new AsyncDisposableStack();
  const { teams, bot } = await start(stack);
  const post = await posted(bot);
  teams.removeBot(team);
  const delivery = await bot.send(page, channel);
  assert.ok(delivery.outcome === 'failed' && /not installed/.test(delivery.reason));
  assert.equal((await bot.show(page, post)).outcome, 'failed');
});

const refused = (status: number, retryAfter?: number): Misbehaviour => ({
  type: 'refuse',
  status,
  code: 'Busy',
  ...(retryAfter !== undefined && { retryAfter }),
});
const troubles: readonly [string, Misbehaviour, number | undefined, noted: readonly string[]][] = [
  ['429', refused(429, 7), 7, []],
  ['412', refused(412, 3), 3, []],
  ['502', refused(502), undefined, ['outage']],
  ['504', refused(504, 9), 9, ['outage']],
  ['a broken answer', { type: 'broken' }, undefined, ['outage']],
  ['silence', { type: 'hang' }, undefined, ['outage']],
  ['a lost answer', { type: 'answer_lost' }, undefined, ['outage']],
];
for (const [what, trouble, wait, noted] of troubles)
  test(`it is tried again after ${what}`, async () => {
    await using stack = new AsyncDisposableStack();
    const { teams, bot, answers, held } = await start(
      stack,
      trouble.type === 'hang' ? 300 : undefined,
    );
    // The token is kept: the call that fails is the post.
    await posted(bot);
    teams.misbehave('POST /v3/conversations', trouble);
    const delivery = await bot.send(page, channel);
    assert.ok(delivery.outcome === 'no_answer', JSON.stringify(delivery));
    assert.equal(delivery.retryAfterSeconds, wait);
    assert.deepEqual(answers.slice(1), noted);
    assert.deepEqual(held, wait === undefined ? [] : [`msteams ${channel} ${wait}`]);
  });

test('an authority that fails is tried again, and nothing was posted', async () => {
  await using stack = new AsyncDisposableStack();
  const { teams, bot } = await start(stack);
  teams.misbehave(`POST /${teams.tenantId}`, { type: 'broken' });
  const delivery = await bot.send(page, channel);
  assert.ok(delivery.outcome === 'no_answer' && delivery.maybeTaken === undefined);
  await posted(bot);
});

test('what Teams may have taken is posted again once Microsoft answers', async () => {
  await using stack = new AsyncDisposableStack();
  const { teams, bot } = await start(stack, 300);
  await posted(bot);
  teams.misbehave('POST /v3/conversations', { type: 'answer_lost' });
  const lost = await bot.send(page, channel);
  assert.ok(lost.outcome === 'no_answer' && lost.maybeTaken === true, JSON.stringify(lost));
  const again: Attempt = { ...attemptIn(null), maybeTaken: true };
  teams.misbehave('GET /v3/conversations', { type: 'hang' });
  const silent = await bot.send(page, channel, again);
  assert.ok(silent.outcome === 'no_answer' && !silent.maybeTaken, JSON.stringify(silent));
  assert.equal(teams.messages.length, 2);
  teams.misbehave(`POST /${teams.tenantId}`, { type: 'hang' });
  assert.equal((await bot.send(page, channel, again)).outcome, 'delivered');
});

test('a shift is posted without buttons', async () => {
  await using stack = new AsyncDisposableStack();
  const { teams, bot } = await start(stack);
  const delivery = await bot.send(sampleShiftNotice({ isPersonal: false }), channel);
  assert.equal(delivery.outcome, 'delivered');
  assert.deepEqual(titles(teams.messages[0]), []);
});

test('without a connection nothing is sent', async () => {
  await using stack = new AsyncDisposableStack();
  const { bot, connections } = await start(stack);
  connections.length = 0;
  assert.deepEqual(await bot.send(page, channel), {
    outcome: 'failed',
    reason: 'no Microsoft Teams connection is set up',
  });
});

test('the longest page is within the 28 KB that Teams takes', async () => {
  await using stack = new AsyncDisposableStack();
  const { bot } = await start(stack);
  const links = Array.from({ length: 30 }, (_, index) => ({
    href: `https://example.com/${index}/${'a'.repeat(900)}`,
    text: '“”'.repeat(50),
  }));
  const incident = {
    ...page.incident,
    details: '“…”\n'.repeat(3_000),
    title: '“'.repeat(900),
    links,
  };
  // The contract holds it to the limit.
  assert.equal((await bot.send({ ...page, incident }, channel)).outcome, 'delivered');
});
