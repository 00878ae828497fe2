import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerHandles } from '../../../test/answer-handles.ts';
import { type FakeSlack, type Misbehaviour, startFakeSlack } from '../../../test/vendors/slack.ts';
import type { Attempt, PostedMessage } from '../../engine/sending/channel.ts';
import { sampleNotice } from '../../notices/kinds/incident.ts';
import { sampleShiftNotice } from '../../notices/kinds/shift.ts';
import { noLanes } from '../lanes.ts';
import { createVendorHttp } from '../vendor-http.ts';
import { createSlack, type SlackConnection } from './channel.ts';

const channel = 'C0123ABCD';
const { links: _links, ...page } = sampleNotice({ handles: answerHandles, mention: '@here' });

async function start(stack: AsyncDisposableStack, totalTimeoutMs = 10_000) {
  const slack = stack.use(await startFakeSlack());
  slack.addChannel(channel);
  const refusals: string[] = [];
  const answers: string[] = [];
  const connections = [connectionOf(slack, 'first')];
  const app = createSlack({
    baseUrl: slack.url,
    http: createVendorHttp({ totalTimeoutMs }),
    lanes: noLanes,
    connectionsOf: async () => connections,
    inTurn: async (all) => all,
    async answered({ id }, answer) {
      answers.push(answer.kind);
      if (answer.kind === 'refusal') refusals.push(`${id}: ${answer.reason}`);
    },
  });
  return { slack, app, refusals, answers, connections };
}

const connectionOf = (
  slack: FakeSlack,
  id: string,
  bot_token = slack.botToken,
): SlackConnection => ({
  organization_id: 'o1',
  id,
  name: `app ${id}`,
  settings: {},
  secrets: { bot_token, app_token: slack.appToken },
});

const attemptIn = (thread: PostedMessage | null): Attempt => ({
  handle: 'h1',
  earlier: [],
  thread,
  until: Temporal.Now.instant(),
  isWanted: async () => true,
});

async function posted(app: ReturnType<typeof createSlack>): Promise<PostedMessage> {
  const delivery = await app.send(page, channel);
  assert.ok(delivery.outcome === 'delivered' && delivery.posted?.[0], JSON.stringify(delivery));
  return delivery.posted[0];
}

test('a page is a post with a mention and the buttons of its state', async () => {
  await using stack = new AsyncDisposableStack();
  const { slack, app } = await start(stack);
  const post = await posted(app);
  const [message] = slack.messages;
  assert.deepEqual(post, { connectionId: 'first', place: channel, messageId: message?.ts });
  assert.deepEqual(message?.buttons, [
    { text: 'Acknowledge', value: 'a1' },
    { text: 'Resolve', value: 'r1' },
    { text: 'Escalate', value: 'e1' },
  ]);
  const menu = { of: 'overflow', actionId: 'menu' };
  assert.deepEqual(message.options, [
    { ...menu, text: 'Call webhook…', value: 'w1' },
    { ...menu, text: 'Run playbook…', value: 'p1' },
  ]);
  assert.deepEqual(new Set(message.mentions), new Set(['<!here>']));
  assert.match(message.shown, /^INC-42 Disk full on <db-1>\n/);
  assert.match(message.text, /^<!here> Incident triggered: INC-42 Disk full on &lt;db-1&gt;$/);
});

test('a later step stands below the first post, and is shown in the channel too', async () => {
  await using stack = new AsyncDisposableStack();
  const { slack, app } = await start(stack);
  const first = await posted(app);
  const later = { ...page, unansweredSteps: 1 };
  const delivery = await app.send(later, channel, attemptIn(first));
  assert.ok(delivery.outcome === 'delivered');
  const reply = slack.messages[1];
  assert.match(delivery.answer ?? '', new RegExp(`${reply?.ts}`));
  assert.equal(delivery.posted, undefined, 'the post above is kept up to date, and no other');
  assert.deepEqual(delivery.counted, { connectionId: 'first' });
  assert.deepEqual([reply?.threadTs, reply?.isShownInChannel], [first.messageId, true]);
  assert.deepEqual(reply?.buttons, []);
  assert.deepEqual(new Set(reply?.mentions), new Set(['<!here>']));
});

test('where the first post was deleted, or its app is gone, a new one is posted', async () => {
  await using stack = new AsyncDisposableStack();
  const { slack, app } = await start(stack);
  const deleted = { connectionId: 'first', place: channel, messageId: '1795000000.000100' };
  for (const thread of [deleted, { ...deleted, connectionId: 'removed' }])
    assert.equal((await app.send(page, channel, attemptIn(thread))).outcome, 'delivered');
  assert.deepEqual(
    slack.messages.map(({ threadTs }) => threadTs),
    [null, null],
  );
});

test('a post shows who acted by an edit, and says it in a line below', async () => {
  await using stack = new AsyncDisposableStack();
  const { slack, app } = await start(stack);
  const post = await posted(app);
  const at = Temporal.Instant.from('2026-11-21T03:12:40Z');
  const acknowledged = {
    ...page,
    incident: { ...page.incident, status: 'acknowledged' as const },
    taken: { action: 'Acknowledged', by: 'Ada', via: 'phone', at },
  };
  assert.equal((await app.show(acknowledged, post)).outcome, 'delivered');
  assert.equal(slack.messages.length, 1);
  assert.equal((await app.comment(acknowledged, post)).outcome, 'delivered');
  const [message, line] = slack.messages;
  assert.match(message?.shown ?? '', /Acknowledged by Ada \(phone\), 03:12 UTC/);
  // For notifications and screen readers.
  const title = 'INC-42 Disk full on &lt;db-1&gt;';
  assert.equal(message?.text, `<!here> Acknowledged by Ada (phone), 03:12 UTC: ${title}`);
  assert.deepEqual(
    message?.buttons.map(({ text }) => text),
    ['Resolve', 'Unacknowledge'],
  );
  assert.deepEqual(
    [line?.shown, line?.threadTs, line?.isShownInChannel],
    ['Acknowledged by Ada (phone), 03:12 UTC', post.messageId, false],
  );
  const { handles: _none, ...rest } = page;
  const resolved = { ...rest, incident: { ...page.incident, status: 'resolved' as const } };
  assert.equal((await app.show(resolved, post)).outcome, 'delivered');
  assert.deepEqual([message?.buttons, message?.options], [[], []]);
  const gone = await app.show(resolved, { ...post, messageId: '1795000000.000100' });
  assert.equal(gone.outcome, 'failed');
});

test('a line below a post names the alerts that joined, and mentions nobody', async () => {
  await using stack = new AsyncDisposableStack();
  const { slack, app } = await start(stack);
  const post = await posted(app);
  const titles = ['<!here> *Disk full*', 'Load & swap', 'https://evil.test/x'];
  const joined = { count: 4, titles, total: 12 };
  assert.equal((await app.comment({ ...page, joined }, post)).outcome, 'delivered');
  const [, line] = slack.messages;
  assert.deepEqual([line?.threadTs, line?.isShownInChannel], [post.messageId, false]);
  const text =
    '4 more alerts joined: <!here> *Disk full*, Load & swap, https://evil.test/x, and 1 more. 12 in all.';
  assert.deepEqual([line?.shown, line?.mentions, line?.buttons], [text, [], []]);
});

for (const [error, outcome] of [
  ['token_revoked', 'refused'],
  ['invalid_auth', 'refused'],
  ['missing_scope', 'refused'],
  ['message_not_found', 'failed'],
  ['is_archived', 'failed'],
] as const)
  test(`an edit that is refused by ${error}: ${outcome}`, async () => {
    await using stack = new AsyncDisposableStack();
    const { slack, app, refusals } = await start(stack);
    const post = await posted(app);
    slack.misbehave('chat.update', { type: 'refuse', error });
    assert.equal((await app.show(page, post)).outcome, outcome);
    assert.equal(refusals.length, outcome === 'refused' ? 1 : 0);
    assert.equal((await app.show(page, post)).outcome, 'delivered');
  });

for (const [error, reason] of [
  ['channel_not_found', /invite/],
  ['is_archived', /archived/],
  ['not_in_channel', /invite/],
] as const)
  test(`${error} blames the channel, and no health`, async () => {
    await using stack = new AsyncDisposableStack();
    const { slack, app, refusals, answers } = await start(stack);
    slack.misbehave('chat.postMessage', { type: 'refuse', error });
    const delivery = await app.send(page, channel);
    assert.ok(delivery.outcome === 'failed');
    assert.match(delivery.reason, reason);
    assert.deepEqual(refusals, []);
    // That the channel is at fault shows that Slack works.
    assert.deepEqual(answers, ['ok']);
  });

test('a token that is refused is named where it is mended, and the next app posts', async () => {
  await using stack = new AsyncDisposableStack();
  const { slack, app, refusals, connections } = await start(stack);
  const [first] = connections;
  assert.ok(first);
  const wrong = connectionOf(slack, 'wrong', 'xoxb-1-2-wrong');
  connections.splice(0, 1, wrong, first);
  assert.equal((await app.send(page, channel)).outcome, 'delivered');
  assert.match(refusals[0] ?? '', /^wrong: .*invalid_auth.*bot_token/);
  slack.revokeToken();
  const delivery = await app.send(page, channel);
  assert.equal(delivery.outcome, 'failed');
  assert.match(refusals.at(-1) ?? '', /revoked/);
});

const troubles: readonly [Misbehaviour, number | undefined, noted: readonly string[]][] = [
  [{ type: 'too_many', retryAfter: 7 }, 7, []],
  [{ type: 'broken' }, undefined, ['outage']],
  [{ type: 'hang' }, undefined, ['outage']],
  [{ type: 'answer_lost' }, undefined, ['outage']],
  [{ type: 'refuse', error: 'internal_error' }, undefined, ['outage']],
];
for (const [trouble, wait, noted] of troubles)
  test(`it is tried again after ${Object.values(trouble).join(' ')}`, async () => {
    await using stack = new AsyncDisposableStack();
    const { slack, app, answers } = await start(stack, trouble.type === 'hang' ? 200 : undefined);
    slack.misbehave('chat.postMessage', trouble);
    const delivery = await app.send(page, channel);
    assert.ok(delivery.outcome === 'no_answer', JSON.stringify(delivery));
    assert.equal(delivery.retryAfterSeconds, wait);
    assert.doesNotMatch(delivery.reason, /xoxb/);
    assert.deepEqual(answers, noted);
  });

for (const error of [
  'not_heard_of_yet',
  'invalid_arguments',
  'team_is_frozen',
  'messages_tab_disabled',
])
  test(`after ${error}, which is not known, the next app posts; without one it fails`, async () => {
    await using stack = new AsyncDisposableStack();
    const { slack, app, answers, connections } = await start(stack);
    slack.misbehave('chat.postMessage', { type: 'refuse', error });
    assert.equal((await app.send(page, channel)).outcome, 'failed');
    connections.push(connectionOf(slack, 'second'));
    slack.misbehave('chat.postMessage', { type: 'refuse', error });
    const delivery = await app.send(page, channel);
    assert.ok(delivery.outcome === 'delivered');
    assert.equal(delivery.posted?.[0]?.connectionId, 'second');
    assert.deepEqual(answers, ['unexplained', 'unexplained', 'ok']);
  });

test('what Slack cannot read is posted without blocks of many kinds', async () => {
  await using stack = new AsyncDisposableStack();
  const { slack, app } = await start(stack);
  slack.misbehave('chat.postMessage', { type: 'refuse', error: 'invalid_blocks' });
  await posted(app);
  assert.equal(slack.messages[0]?.buttons.length, 3);
});

test('an edit that Slack cannot read says without them who acted', async () => {
  await using stack = new AsyncDisposableStack();
  const { slack, app } = await start(stack);
  const post = await posted(app);
  const at = Temporal.Instant.from('2026-11-21T03:12:40Z');
  const incident = { ...page.incident, status: 'acknowledged' as const };
  const acknowledged = { ...page, incident, taken: { action: 'Acknowledged', by: 'Ada', at } };
  slack.misbehave('chat.update', { type: 'refuse', error: 'invalid_blocks' });
  assert.equal((await app.show(acknowledged, post)).outcome, 'delivered');
  const [message] = slack.messages;
  for (const shown of [message?.text, message?.shown])
    assert.match(shown ?? '', /Acknowledged by Ada, 03:12 UTC: INC-42 Disk full/);
});

test('a shift is posted without buttons', async () => {
  await using stack = new AsyncDisposableStack();
  const { slack, app } = await start(stack);
  const delivery = await app.send(sampleShiftNotice({ isPersonal: false }), channel);
  assert.equal(delivery.outcome, 'delivered');
  assert.deepEqual(slack.messages[0]?.buttons, []);
});

test('without a connection nothing is sent', async () => {
  const app = createSlack({
    baseUrl: 'http://127.0.0.1:1',
    http: createVendorHttp(),
    lanes: noLanes,
    connectionsOf: async () => [],
    inTurn: async (all) => all,
    answered: async () => undefined,
  });
  const delivery = await app.send(page, channel);
  assert.deepEqual(delivery, { outcome: 'failed', reason: 'no Slack connection is set up' });
});

test('what Slack may have taken is posted again once it answers', async () => {
  await using stack = new AsyncDisposableStack();
  const { slack, app, answers } = await start(stack, 200);
  slack.misbehave('chat.postMessage', { type: 'answer_lost' });
  const lost = await app.send(page, channel);
  assert.ok(lost.outcome === 'no_answer' && lost.maybeTaken === true, JSON.stringify(lost));
  const again: Attempt = { ...attemptIn(null), maybeTaken: true };
  const until = Temporal.Now.instant().add({ seconds: 60 });
  slack.misbehave('auth.test', { type: 'hang' });
  const silent = await app.send(page, channel, { ...again, until });
  assert.ok(silent.outcome === 'no_answer' && !silent.maybeTaken, JSON.stringify(silent));
  assert.deepEqual([slack.messages.length, answers], [1, ['outage', 'outage']]);
  assert.equal((await app.send(page, channel, { ...again, until })).outcome, 'delivered');
  const [, second] = slack.messages;
  const thread = { connectionId: 'first', place: channel, messageId: second?.ts ?? '' };
  slack.misbehave('auth.test', { type: 'hang' });
  const below = await app.send(page, channel, { ...again, until, thread });
  assert.equal(below.outcome, 'no_answer');
  assert.equal(slack.messages.length, 2);
});
