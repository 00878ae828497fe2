// What people write in Slack in the thread of a page, or to the app.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import {
  ada,
  alert,
  channel,
  firstIncident,
  page,
  pagesTo,
  savePolicy,
  startWithSlack as start,
  textsOf,
  type World,
} from './slack-world.ts';

const stranger = 'U0EVE';
/** Somebody, and their direct messages with the app. */
const member = 'U0123ADAX';
const direct = 'D0123ADAX';
const email = 'owner@example.test';

/** The post, once Pager knows it. */
async function paged(world: World) {
  const post = await page(world, 'Disk full');
  const known = () => world.pager.sql`select from posted where message_id = ${post.ts}`;
  await eventually('it is known', async () => (await known()).length === 1);
  return post;
}

/** Once all that was sent is handled. */
const handled = ({ slack }: World, id: string, times = 1) =>
  eventually(
    'it was handled',
    () => slack.acknowledged.filter((one) => one === id).length === times,
  );

const answersIn = ({ slack }: World) => slack.responses.map(({ text }) => text);

test('acknowledged in the thread of a page, it is acknowledged on the post and in Pager', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager } = world;
  const [integration] = await pager.api.list('integrations');
  const grouping = { by: ['service'] };
  await pager.api.send(`PATCH /integrations/${integration.id}`, { grouping });
  const post = await paged(world);
  await postJson(integration.webhook_url, [{ title: 'Load is high' }, { title: 'Swap is full' }]);
  await eventually('the count', () => /Disk full and 2 more/.test(post.shown));
  const lines = () => slack.messages.filter(({ threadTs }) => threadTs === post.ts);
  await eventually('the line below', () => lines().length === 1);
  const named = '2 more alerts joined: Load is high, Swap is full. 3 in all.';
  const [line] = lines();
  assert.deepEqual([line?.shown, line?.mentions, line?.isShownInChannel], [named, [], false]);
  assert.equal(slack.messages.length, 2, 'nothing else is posted');
  const message = { userId: ada, threadTs: post.ts };
  await handled(world, slack.writeMessage({ ...message, text: 'Ack', times: 2 }), 2);
  await eventually('the edit', () => /Acknowledged by .+, \d\d:\d\d/.test(post.shown));
  const { id, status } = await firstIncident(world);
  assert.equal(status, 'acknowledged');
  const { body } = await pager.api.send(`GET /incidents/${id}/timeline`);
  const [owner] = await pager.api.list('users');
  assert.deepEqual(
    body.data
      .filter(({ type }: { type: string }) => type === 'acknowledged')
      .map(({ actor }: { actor: { id: string; via: string } }) => [actor.id, actor.via]),
    [[owner.id, 'slack']],
  );
  await eventually('who acted below', () => /^Acknowledged by/.test(lines()[1]?.shown ?? ''));
  assert.deepEqual(answersIn(world), [], 'the thread shows it');

  const text = 'see <https://wiki.test/db|the runbook> &amp; wait\nnot done yet';
  await handled(world, slack.writeMessage({ ...message, text }));
  await handled(world, slack.writeMessage({ ...message, text: 'resolve\nit was the cache' }));
  await eventually('the end', () => /Resolved by/.test(post.shown));
  assert.deepEqual(await textsOf(world, 'note'), [
    'see the runbook (https://wiki.test/db) & wait\nnot done yet',
    'it was the cache',
  ]);
  await handled(world, slack.writeMessage({ ...message, text: 'ack' }));
  assert.match(answersIn(world).join(), /^Nothing was changed: INC-1 is already resolved/);
  const [{ userId, threadTs } = {}] = slack.responses;
  assert.deepEqual([userId, threadTs], [ada, post.ts]);
});

test('what is delivered once more, in another envelope too, counts once', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager } = world;
  const post = await paged(world);
  const message = { userId: ada, threadTs: post.ts };
  await handled(world, slack.writeMessage({ ...message, text: 'looking' }));
  await handled(world, slack.redeliver());
  assert.deepEqual(await textsOf(world, 'note'), ['looking']);
  await handled(world, slack.writeMessage({ ...message, text: 'ack' }));
  const { id } = await firstIncident(world);
  await pager.api.send(`POST /incidents/${id}/unacknowledge`, {});
  await handled(world, slack.redeliver());
  assert.equal((await firstIncident(world)).status, 'triggered');
  assert.deepEqual(answersIn(world), []);
});

test('a verb that arrives late changes nothing, and a note is kept', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack } = world;
  const post = await paged(world);
  const ts = `${Math.floor(Date.now() / 1_000) - 300}.000100`;
  const message = { userId: ada, threadTs: post.ts, ts };
  await handled(world, slack.writeMessage({ ...message, text: 'resolve' }));
  assert.match(answersIn(world).join(), /^Nothing was changed: your message arrived too late\./);
  assert.equal((await firstIncident(world)).status, 'triggered');
  await handled(
    world,
    slack.writeMessage({ ...message, text: 'I am on it', ts: ts.replace('.0001', '.0002') }),
  );
  assert.deepEqual(await textsOf(world, 'note'), ['I am on it']);
});

test('another incident than that of the thread is left as it is', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack } = world;
  const post = await paged(world);
  await handled(world, slack.writeMessage({ userId: ada, threadTs: post.ts, text: 'ack 7' }));
  assert.match(
    answersIn(world).join(),
    /^Nothing was changed: you wrote INC-7, but replied to .+INC-1/,
  );
  await handled(
    world,
    slack.writeMessage({ userId: ada, threadTs: post.ts, text: 'did you ack it?' }),
  );
  assert.match(
    answersIn(world)[1] ?? '',
    /^Your reply was added to INC-1 as a note, and nothing else/,
  );
  assert.equal((await firstIncident(world)).status, 'triggered');
});

test('where the app reads no messages, a mention in the thread acts', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack } = world;
  const post = await paged(world);
  const message = { userId: ada, threadTs: post.ts };
  const answerTo = async (text: string) => {
    await handled(world, slack.mention({ ...message, text: `<@U0BOT> ${text}` }));
    return answersIn(world).at(-1) ?? '';
  };
  assert.equal(await answerTo('ack'), 'Acknowledged: INC-1.');
  assert.equal(await answerTo('it is the cache'), 'Added to INC-1 as a note.');
  assert.match(await answerTo('who'), /^No schedules yet/);
  assert.match(await answerTo('help'), /\/pager ack 42/);
  assert.equal(await answerTo('resolve 1'), 'Resolved: INC-1.');
  await handled(world, slack.mention({ userId: ada, text: '<@U0BOT> ack' }));
  assert.match(answersIn(world).at(-1) ?? '', /^Write: \/pager acknowledge /);
  assert.deepEqual(await textsOf(world, 'note'), ['it is the cache']);
});

test('a mention that is delivered as a message too counts once', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack } = world;
  const post = await paged(world);
  const ts = `${Math.floor(Date.now() / 1_000)}.000100`;
  const message = { userId: ada, threadTs: post.ts, text: '<@U0BOT> on my way', ts };
  await handled(world, slack.writeMessage(message));
  await handled(world, slack.mention(message));
  assert.deepEqual(await textsOf(world, 'note'), ['on my way']);
  assert.deepEqual(answersIn(world), ['Added to INC-1 as a note.']);
});

test('a page in a direct message has buttons, a thread, and is edited', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager } = world;
  slack.addUser(member, { email });
  assert.deepEqual(await pagesTo(world, { channel_id: member }), []);
  const post = await alert(world, 'Disk full');
  assert.equal(post.channel, direct);
  await eventually('it is known', async () => (await pager.sql`select from posted`).length === 1);
  const writeBelow = (text: string) =>
    handled(
      world,
      slack.writeMessage({ userId: member, channel: direct, threadTs: post.ts, text }),
    );
  slack.press(member, post.ts, 'Acknowledge');
  await eventually('the edit', () => /Acknowledged by/.test(post.shown));
  await writeBelow('it is the cache');
  await writeBelow('resolve');
  await eventually('the end', () => /Resolved by/.test(post.shown));
  assert.deepEqual(await textsOf(world, 'note'), ['it is the cache']);
  assert.equal((await firstIncident(world)).status, 'resolved');
});

test('a direct message to somebody who has left the workspace fails, and the next step pages', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack } = world;
  slack.addUser(member, { email });
  slack.removeUser(member);
  await savePolicy(world, [
    { targets: [{ via: 'slack', channel_id: member }], escalate_after_minutes: 5 },
    { targets: [{ via: 'slack', channel_id: channel }] },
  ]);
  const post = await alert(world, 'Disk full');
  assert.equal(post.channel, channel);
  assert.deepEqual(await textsOf(world, 'step_failed'), [
    'Every page of step 1 of 2 failed: step 2 runs now',
  ]);
});

test('in a direct message to the app, commands need no /pager', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack } = world;
  await paged(world);
  slack.addChannel(direct);
  const answerTo = async (text: string) => {
    await handled(world, slack.writeMessage({ userId: ada, channel: direct, text }));
    return slack.messages.findLast((one) => one.channel === direct)?.text ?? '';
  };
  assert.equal(await answerTo('ack 1'), 'Acknowledged: INC-1.');
  assert.match(await answerTo('resolve'), /^Write: \/pager resolve /);
  assert.match(await answerTo('hello'), /\/pager ack 42/);
  assert.deepEqual(slack.responses, []);
});

test('whoever is not linked is shown how once, changes nothing, and nothing they say is kept', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack } = world;
  const post = await paged(world);
  slack.addUser(stranger, { email: 'eve@example.test' });
  const message = { userId: stranger, threadTs: post.ts };
  for (const text of ['is it me?', 'no, it is you'])
    await handled(world, slack.writeMessage({ ...message, text }));
  assert.equal(slack.responses.length, 1);
  const [{ userId, threadTs, text } = {}] = slack.responses;
  assert.deepEqual([userId, threadTs], [stranger, post.ts]);
  assert.match(text ?? '', /^Your account is not linked to Pager\..*\/link\/[0-9a-f]{48}\|/);
  assert.deepEqual(await textsOf(world, 'refused'), []);
  await handled(world, slack.writeMessage({ ...message, text: 'ack' }));
  assert.equal(slack.responses.length, 2);
  assert.equal((await textsOf(world, 'refused')).length, 1);
  assert.deepEqual(await textsOf(world, 'note'), []);
  assert.equal((await firstIncident(world)).status, 'triggered');
});

test('a viewer is refused', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack, pager } = world;
  const post = await paged(world);
  await pager.api.create('users', {
    first_name: 'Eve',
    last_name: 'Low',
    email: 'eve@example.test',
    role: 'viewer',
  });
  slack.addUser(stranger, { email: 'eve@example.test' });
  for (const text of ['ack', 'looks bad', 'really bad'])
    await handled(world, slack.writeMessage({ userId: stranger, threadTs: post.ts, text }));
  const refusal = 'As a viewer you cannot act on incidents.';
  assert.deepEqual(answersIn(world), [refusal, refusal]);
  assert.deepEqual(await textsOf(world, 'note'), []);
  assert.equal((await firstIncident(world)).status, 'triggered');
});

test('what is written elsewhere, by a bot, or changed is nothing to Pager', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { slack } = world;
  const post = await paged(world);
  const message = { userId: ada, text: 'ack', threadTs: post.ts };
  const { calls } = slack;
  const before = calls.length;
  for (const other of [
    { ...message, threadTs: '1795230000.000100' },
    { ...message, channel: 'C0OTHER' },
    { userId: ada, text: 'ack', channel },
    { ...message, userId: 'U0BOT' },
    { ...message, event: { bot_id: 'B0BOT' } },
    { ...message, event: { subtype: 'bot_message', bot_id: 'B0OTHER' } },
    {
      ...message,
      event: { subtype: 'message_changed', hidden: true, message: { type: 'message' } },
    },
    { ...message, event: { subtype: 'message_deleted', hidden: true } },
    { ...message, event: { subtype: 'channel_join' } },
  ])
    await handled(world, slack.writeMessage(other));
  assert.equal((await firstIncident(world)).status, 'triggered');
  assert.deepEqual(await textsOf(world, 'note'), []);
  assert.deepEqual([answersIn(world), calls.length], [[], before]);
});
