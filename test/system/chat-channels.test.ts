// Channels of a Slack workspace, found by whoever chooses where to post; and a shift that is announced
// in one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { startFakeSlack } from '../vendors/slack.ts';
import { eventually } from './eventually.ts';
import { startInProcess } from './in-process.ts';

async function start(stack: AsyncDisposableStack) {
  const slack = stack.use(await startFakeSlack());
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      PAGER_VENDOR_URLS: `slack=${slack.url}`,
      PAGER_ALLOW_NETWORKS: '127.0.0.0/8',
    }),
  );
  const connect = () =>
    pager.api.create('channel-connections', {
      name: 'Slack of Acme',
      vendor: 'slack',
      secrets: { bot_token: slack.botToken, app_token: slack.appToken },
    });
  const search = async (text: string, via = 'slack') => {
    const query = new URLSearchParams({ via, search: text });
    return pager.api.send(`GET /chat-channels?${query}`);
  };
  const names = async (text: string): Promise<readonly string[]> =>
    (await search(text)).body.data.map(({ name }: { name: string }) => name);
  const listings = () => slack.calls.filter(({ method }) => method === 'conversations.list');
  return { slack, pager, connect, search, names, listings };
}

test('channels that can be posted to are found by name, once they are read', async () => {
  await using stack = new AsyncDisposableStack();
  const { slack, pager, connect, search, names, listings } = await start(stack);
  assert.deepEqual((await search('')).body, { data: [], next_cursor: null, complete: true });
  slack.addChannel('C0000ALERTS', { name: 'shop-alerts' });
  slack.addChannel('C0000OTHERS', { name: 'alerts-of-others', isMember: false });
  slack.addChannel('C0000SECRET', { name: 'alerts-secret', isPrivate: true });
  slack.addChannel('C0000HIDDEN', { name: 'alerts-hidden', isPrivate: true, isMember: false });
  slack.addChannel('C0000OLDEST', { name: 'alerts-old', isArchived: true });
  slack.addChannel('C0000ONCALL', { name: 'on-call' });
  slack.pageBy(3);
  const connection = await connect();
  await eventually('the first page', () => listings().length === 1);
  await pager.pass({ minutes: 1 });
  await eventually('all are read', async () => (await search('')).body.complete);
  assert.equal(listings().length, 2);
  assert.deepEqual(await names('ALERTS'), ['#alerts-of-others', '#alerts-secret', '#shop-alerts']);
  assert.deepEqual(await names('#on-call'), ['#on-call']);
  assert.deepEqual((await search('shop')).body.data, [
    {
      channel_id: 'C0000ALERTS',
      name: '#shop-alerts',
      is_private: false,
      connection_id: connection.id,
      connection: connection.name,
    },
  ]);
  assert.deepEqual((await search('alerts', 'discord')).body.data, []);
  assert.equal((await search('alerts', 'pigeon')).status, 422);

  slack.archiveChannel('C0000ALERTS');
  await pager.pass({ minutes: 60 });
  await eventually('the first page anew', () => listings().length === 3);
  await pager.pass({ minutes: 1 });
  await eventually('it is gone', async () => (await names('shop')).length === 0);
  await pager.api.send(`PATCH /channel-connections/${connection.id}`, { enabled: false });
  assert.deepEqual(await names('on-call'), []);
});

test('an id that is pasted costs one call, and is known from then on', async () => {
  await using stack = new AsyncDisposableStack();
  const { slack, connect, search, names, listings } = await start(stack);
  await connect();
  await eventually('none are read', async () => (await search('')).body.complete);
  slack.addChannel('C0000ALERTS', { name: 'alerts' });
  const calls = () => slack.calls.filter(({ method }) => method === 'conversations.info').length;
  assert.deepEqual(await names('https://acme.slack.com/archives/C0000ALERTS'), ['#alerts']);
  assert.deepEqual(await names('C0000ALERTS'), ['#alerts']);
  assert.deepEqual(await names('alerts'), ['#alerts']);
  assert.equal(calls(), 1);
  assert.deepEqual(await names('C0000NOWHERE'), []);
  assert.equal(calls(), 2);
  assert.equal(listings().length, 1);
});

test('a workspace that cannot be listed is read again when Slack says', async () => {
  await using stack = new AsyncDisposableStack();
  const { slack, pager, connect, search, names, listings } = await start(stack);
  slack.addChannel('C0000ALERTS', { name: 'alerts' });
  slack.misbehave('conversations.list', { type: 'too_many', retryAfter: 30 });
  await connect();
  await eventually('the refusal', () => listings().length === 1);
  assert.equal((await search('')).body.complete, false);
  await pager.pass({ minutes: 1 });
  await eventually('all are read', async () => (await search('')).body.complete);
  assert.deepEqual(await names('alerts'), ['#alerts']);
  assert.equal(listings().length, 2);
});

test('a shift is announced in the channel that its schedule names', async () => {
  await using stack = new AsyncDisposableStack();
  const { slack, pager, connect } = await start(stack);
  slack.addChannel('C0000ONCALL', { name: 'on-call' });
  await connect();
  const [owner] = await pager.api.list('users');
  const schedule = await pager.api.create('on-calls', {
    name: 'Shop',
    layers: [{ users: [owner.id], rotation: { length: 1, unit: 'days', handoff: '08:00' } }],
  });
  const saved = await pager.api.send(`PATCH /on-calls/${schedule.id}/notifications`, {
    slack: [{ channel_id: 'C0000ONCALL', channel_name: '#on-call', mention: '@here' }],
  });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  await pager.pass({ minutes: 24 * 60 });
  await eventually('the announcement', () => slack.messages.length > 0);
  const [message] = slack.messages;
  assert.deepEqual([message?.channel, message?.threadTs], ['C0000ONCALL', null]);
  assert.match(message?.shown ?? '', /Shop/);
  assert.deepEqual(new Set(message?.mentions), new Set(['<!here>']));
  assert.deepEqual(message?.buttons, []);
});

test('who chooses a channel that the app cannot post to is told so', async () => {
  await using stack = new AsyncDisposableStack();
  const { slack, pager, connect, search } = await start(stack);
  const { api } = pager;
  slack.addChannel('C0000ALERTS', { name: 'alerts' });
  slack.addChannel('C0000SECRET', { name: 'secret', isPrivate: true, isMember: false });
  const [policy] = await api.list('escalation-policies');
  const [owner] = await api.list('users');
  const schedule = await api.create('on-calls', {
    name: 'Shop',
    layers: [{ users: [owner.id], rotation: { length: 1, unit: 'days', handoff: '08:00' } }],
  });
  const save = async (channel_id: string) => {
    const steps = [{ targets: [{ via: 'slack', channel_id }] }];
    const saved = [
      await api.send(`PATCH /escalation-policies/${policy.id}`, { steps }),
      await api.send(`PATCH /on-calls/${schedule.id}/notifications`, { slack: [{ channel_id }] }),
    ];
    return saved.map(({ status, body }) => {
      assert.equal(status, 200, JSON.stringify(body));
      return (body.warnings ?? []).join();
    });
  };
  await connect();
  await eventually('all are read', async () => (await search('')).body.complete);
  assert.deepEqual(await save('C0000ALERTS'), ['', '']);
  const [ofPolicy, ofSchedule] = await save('C0000SECRET');
  const text = 'names C0000SECRET, to which the Slack app cannot post, as far as Pager knows';
  assert.ok(ofPolicy?.startsWith(`steps[0].targets[0].channel_id ${text}`), ofPolicy);
  assert.ok(ofSchedule?.startsWith(`slack[0].channel_id ${text}`), ofSchedule);
});
