import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { startFakeSlack } from '../../../test/vendors/slack.ts';
import { createVendorHttp } from '../vendor-http.ts';
import { createSlackClient } from './client.ts';
import { holdSlackSocket, type SlackEnvelope, type SocketOptions } from './socket.ts';

async function start(stack: AsyncDisposableStack, options: Partial<SocketOptions> = {}) {
  const slack = stack.use(await startFakeSlack());
  const { botToken, appToken } = slack;
  const { request } = createVendorHttp();
  const client = createSlackClient({ baseUrl: slack.url, botToken, appToken, request });
  const stop = new AbortController();
  const received: SlackEnvelope[] = [];
  const greeted = Promise.withResolvers<void>();
  const ended = holdSlackSocket({
    client,
    signal: stop.signal,
    greeted: greeted.resolve,
    handle: async (envelope) => void received.push(envelope),
    ...options,
  });
  return { slack, ended, received, stop, greeted: greeted.promise };
}

test('what somebody does is received, and acknowledged once it is done', async () => {
  await using stack = new AsyncDisposableStack();
  const { slack, ended, received, stop, greeted } = await start(stack);
  await greeted;
  const id = slack.command('U0ADA', 'ack 42');
  while (slack.acknowledged.length === 0) await turn();
  assert.deepEqual([received[0]?.id, received[0]?.type], [id, 'slash_commands']);
  assert.deepEqual(slack.acknowledged, [id]);
  stop.abort();
  assert.deepEqual(await ended, { ok: true });
});

test('what takes long is acknowledged before it is done', async () => {
  await using stack = new AsyncDisposableStack();
  const finish = Promise.withResolvers<void>();
  const options = { handle: () => finish.promise, acknowledgeMs: 1 };
  const { slack, ended, greeted } = await start(stack, options);
  await greeted;
  const id = slack.command('U0ADA', 'ack 42');
  while (slack.acknowledged.length === 0) await turn();
  assert.deepEqual(slack.acknowledged, [id]);
  slack.refresh();
  finish.resolve();
  assert.deepEqual(await ended, { ok: true });
  assert.deepEqual(slack.acknowledged, [id]);
});

test('a socket that answers no pings is dead', async () => {
  await using stack = new AsyncDisposableStack();
  const { slack, ended, greeted } = await start(stack, { pingMs: 20 });
  await greeted;
  slack.fallSilent();
  const reason = 'Slack: the socket no longer responds';
  assert.deepEqual(await ended, { ok: false, reason, wasOpen: true });
});

test('a socket that breaks is not opened anew at once', async () => {
  await using stack = new AsyncDisposableStack();
  const broken = await start(stack);
  await broken.greeted;
  broken.slack.drop();
  assert.equal((await broken.ended).ok, false);
});

for (const reason of ['warning', 'refresh_requested'])
  test(`a socket that Slack ends by ${reason} is opened anew at once`, async () => {
    await using stack = new AsyncDisposableStack();
    const { slack, ended, greeted } = await start(stack);
    await greeted;
    slack.refresh(reason);
    assert.deepEqual(await ended, { ok: true });
  });

for (const [reason, why] of [
  ['link_disabled', 'Socket Mode is turned off in the app’s settings (link_disabled)'],
  [
    'too_many_websockets',
    'the app already has as many open sockets as Slack allows: check which other servers use its app_token (too_many_websockets)',
  ],
  ['not_heard_of_yet', 'the socket was closed (not_heard_of_yet)'],
] as const)
  test(`a socket that Slack ends by ${reason} is not wanted`, async () => {
    await using stack = new AsyncDisposableStack();
    const { slack, ended, greeted } = await start(stack);
    await greeted;
    slack.refresh(reason);
    assert.deepEqual(await ended, { ok: false, reason: `Slack: ${why}` });
  });

test('an app token that is refused is named', async () => {
  await using stack = new AsyncDisposableStack();
  const slack = stack.use(await startFakeSlack());
  const { request } = createVendorHttp();
  const client = createSlackClient({
    baseUrl: slack.url,
    botToken: slack.botToken,
    appToken: slack.botToken,
    request,
  });
  const ended = await holdSlackSocket({
    client,
    signal: new AbortController().signal,
    handle: async () => undefined,
    greeted: () => undefined,
  });
  assert.match(ended.ok ? '' : ended.reason, /not_allowed_token_type.*app_token/);
});
