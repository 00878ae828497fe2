import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { startFakeDiscord } from '../../../test/vendors/discord.ts';
import { createVendorHttp } from '../vendor-http.ts';
import { createDiscordClient } from './client.ts';
import { type GatewayOptions, type GatewaySession, holdGateway } from './gateway.ts';

type Parts = { readonly heartbeatMs?: number; readonly sessionsLeft?: number };

async function start(stack: AsyncDisposableStack, parts: Parts = {}, token?: string) {
  const discord = stack.use(await startFakeDiscord(parts));
  const botToken = token ?? discord.botToken;
  const { request } = createVendorHttp();
  const sessions: GatewayOptions['sessions'] = { current: null };
  const stop = new AbortController();
  const received: unknown[] = [];
  /** Holds a socket, as it is done again and again. */
  const hold = () => {
    const greeted = Promise.withResolvers<void>();
    const ended = holdGateway({
      client: createDiscordClient({ baseUrl: discord.url, botToken: discord.botToken, request }),
      botToken,
      sessions,
      signal: stop.signal,
      greeted: greeted.resolve,
      handle: async (interaction) => void received.push(interaction),
      random: () => 0,
    });
    return { ended, greeted: greeted.promise };
  };
  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) await turn();
  };
  return { discord, gateway: discord.gateway, sessions, stop, received, hold, until };
}

test('a session begins, receives what people do, and ends when it is to stop', async () => {
  await using stack = new AsyncDisposableStack();
  const { discord, gateway, sessions, stop, received, hold, until } = await start(stack);
  const { ended, greeted } = hold();
  await greeted;
  await discord.command('1', 'help');
  await until(() => received.length === 1);
  await until(() => gateway.heartbeats.length === 1);
  stop.abort();
  assert.deepEqual(await ended, { ok: true });
  assert.equal(sessions.current, null);
  assert.deepEqual(gateway.begun, ['identified']);
});

for (const [what, end] of [
  ['Discord wants another socket', 'reconnect'],
  ['it breaks', 'drop'],
  ['Discord does not know what went wrong', 'close'],
] as const)
  test(`a session goes on, with what was missed, after ${what}`, async () => {
    await using stack = new AsyncDisposableStack();
    const { discord, gateway, sessions, received, hold, until } = await start(stack);
    const first = hold();
    await first.greeted;
    await discord.command('1', 'help');
    await until(() => received.length === 1);
    if (end === 'close') gateway.closeWith(4_000);
    else gateway[end]();
    const ended = await first.ended;
    assert.equal(ended.ok || ended.wasOpen, true);
    assert.equal(sessions.current?.seq, 2);
    await discord.command('1', 'who');
    await hold().greeted;
    await until(() => received.length === 2);
    assert.deepEqual(gateway.begun, ['identified', 'resumed']);
  });

for (const [what, end] of [
  ['it was invalidated', 'invalidate'],
  ['its time is over', 4_009],
  ['its number is not valid', 4_007],
] as const)
  test(`another session begins after ${what}`, async () => {
    await using stack = new AsyncDisposableStack();
    const { gateway, sessions, hold } = await start(stack);
    const first = hold();
    await first.greeted;
    if (end === 'invalidate') gateway.invalidate(false);
    else gateway.closeWith(end);
    await first.ended;
    assert.equal(sessions.current, null);
    await hold().greeted;
    assert.deepEqual(gateway.begun, ['identified', 'identified']);
  });

test('a session that Discord has forgotten is followed by another', async () => {
  await using stack = new AsyncDisposableStack();
  const { gateway, sessions, hold } = await start(stack);
  const first = hold();
  await first.greeted;
  gateway.forgetSessions();
  gateway.drop();
  await first.ended;
  assert.deepEqual(await hold().ended, { ok: true });
  assert.equal(sessions.current, null);
  await hold().greeted;
  assert.deepEqual(gateway.begun, ['identified', 'identified']);
});

test('a session whose socket leads nowhere is followed by another', async () => {
  await using stack = new AsyncDisposableStack();
  const { sessions, hold } = await start(stack);
  const gone: GatewaySession = { id: 's', url: 'ws://127.0.0.1:9', seq: 1 };
  sessions.current = gone;
  assert.equal((await hold().ended).ok, false);
  assert.equal(sessions.current, null);
});

test('a socket that acknowledges no heartbeats is dead, and its session goes on', async () => {
  await using stack = new AsyncDisposableStack();
  const { gateway, sessions, hold } = await start(stack, { heartbeatMs: 20 });
  const { ended, greeted } = hold();
  await greeted;
  gateway.fallSilent();
  const reason = 'Discord: the socket no longer responds';
  assert.deepEqual(await ended, { ok: false, reason, wasOpen: true });
  assert.notEqual(sessions.current, null);
});

test('a heartbeat that Discord wants is sent at once, with the last number', async () => {
  await using stack = new AsyncDisposableStack();
  const { gateway, hold, until } = await start(stack);
  await hold().greeted;
  await until(() => gateway.heartbeats.length === 1);
  gateway.wantHeartbeat();
  await until(() => gateway.heartbeats.length === 2);
  assert.equal(gateway.heartbeats[1], 1);
});

test('a token that is refused is named, and its session is over', async () => {
  await using stack = new AsyncDisposableStack();
  const { hold } = await start(stack, {}, 'wrong');
  const ended = await hold().ended;
  assert.match(ended.ok ? '' : ended.reason, /bot token is not valid.*bot_token.*\(4004\)$/);
  assert.equal(ended.ok || ended.wasOpen, undefined);
});

test('no session begins that would use up what Discord allows in a day', async () => {
  await using stack = new AsyncDisposableStack();
  const { gateway, hold } = await start(stack, { sessionsLeft: 50 });
  const ended = await hold().ended;
  assert.ok(!ended.ok);
  assert.match(ended.reason, /too many sessions today \(50 are left\)/);
  assert.equal(ended.retryAfterSeconds, 3_600);
  assert.equal(gateway.sockets.opened, 0);
});
