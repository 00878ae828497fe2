// Storms of pages to chats, at vendors that refuse what is more than they take, by a clock of their own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSlack } from '../../src/channels/slack/channel.ts';
import { createTelegram } from '../../src/channels/telegram/channel.ts';
import { createVendorHttp } from '../../src/channels/vendor-http.ts';
import { silentLog } from '../../src/engine/log.ts';
import type { NoticeChannel } from '../../src/engine/sending/channel.ts';
import { Dispatcher } from '../../src/engine/sending/dispatch.ts';
import { compose } from '../../src/notices/queued.ts';
import { lanesOf } from '../../src/server/vendor-pace.ts';
import { buildIncident, buildIntent, onPostgres, save } from '../contracts/ledger-fixture.ts';
import { databases } from '../database.ts';
import { noon } from '../incident-life.ts';
import { noFaults as faults } from '../no-faults.ts';
import { startFakeSlack } from '../vendors/slack.ts';
import { startFakeTelegram } from '../vendors/telegram.ts';

const pages = 200;
/** Without lanes it was 1,637 of Telegram, and 2,217 of Slack. */
const refusalsMax = 2;

type Sending = { readonly baseUrl: string; readonly secrets: Readonly<Record<string, string>> };

async function storm(stack: AsyncDisposableStack, channelName: 'telegram' | 'slack') {
  const [server] = await databases();
  assert.ok(server);
  const fixture = stack.use(await onPostgres(server));
  const { ledger, sql, seeded } = fixture;
  const id = await fixture.addConnection();
  let now = noon;
  const clock = { now: () => now };
  const waiting: { readonly until: Temporal.Instant; readonly go: () => void }[] = [];
  const lanes = lanesOf({
    sql,
    clock,
    pause: (milliseconds) =>
      new Promise((go) => waiting.push({ until: now.add({ milliseconds }), go })),
  });
  const incident = buildIncident(fixture);
  let isOpen = false;
  const channelOf = ({ baseUrl, secrets }: Sending): NoticeChannel => {
    const connection = {
      organization_id: seeded.organizationId,
      id,
      name: 'Bot',
      settings: {},
      secrets,
    };
    const options = {
      baseUrl,
      http: createVendorHttp(),
      lanes,
      connectionsOf: async () => [connection],
      inTurn: async <Each>(all: readonly Each[]) => all,
      answered: async () => undefined,
      lost: async () => undefined,
    };
    return channelName === 'telegram' ? createTelegram(options) : createSlack(options);
  };
  const begin = (sending: Sending) => {
    const dispatcher = new Dispatcher({
      ledger,
      clock,
      log: silentLog,
      random: () => 0,
      faults,
      committed() {},
      attempted() {},
      contentOf: () => null,
      handleOf: () => '',
      channels: new Map([[channelName, channelOf(sending)]]),
      compose: (claimed) =>
        compose(claimed, {
          publicUrl: 'https://pager.test',
          linkFor: () => '',
          handleFor: (_incident, action) => action,
        }),
      webhooks: { send: async () => assert.fail('nothing is called') },
    });
    const settled = async () => {
      while (dispatcher.inFlight > waiting.length)
        await new Promise<void>((resolve) => setImmediate(resolve));
    };
    return async (seconds: number) => {
      now = noon.add({ seconds });
      for (const turn of waiting.filter(({ until }) => Temporal.Instant.compare(until, now) <= 0)) {
        waiting.splice(waiting.indexOf(turn), 1);
        turn.go();
      }
      await settled();
      while ((await dispatcher.claim()) > 0) await settled();
    };
  };
  const page = async (address: string, count: number) => {
    const intents = Array.from({ length: count }, (_, index) =>
      buildIntent(incident, {
        key: `${incident.id}/0/0/${channelName}/${address}/${index}`,
        address,
        channel: channelName,
      }),
    );
    await save(fixture, { opened: isOpen ? [] : [incident], intents });
    isOpen = true;
  };
  const states = async () =>
    Object.fromEntries(
      (
        await sql<{ state: string; count: number }[]>`
          select state, count(*)::integer as count from outbox group by state`
      ).map(({ state, count }) => [state, count]),
    );
  const attempts = async () =>
    Number((await sql`select count(*) as count from attempts`)[0]?.['count']);
  return { begin, page, states, attempts, clock };
}

const slackChannel = 'C0123ABCD';

test('200 pages to one chat of Telegram are refused hardly ever', async () => {
  await using stack = new AsyncDisposableStack();
  const { begin, page, states, clock } = await storm(stack, 'telegram');
  const telegram = stack.use(await startFakeTelegram(clock.now));
  telegram.start('42');
  const step = begin({ baseUrl: telegram.url, secrets: { bot_token: telegram.token } });
  await page('42', pages);
  for (let seconds = 0; seconds <= pages; seconds += 1) await step(seconds);
  assert.deepEqual(await states(), { sent: pages });
  assert.equal(telegram.messages.length, pages);
  assert.ok(telegram.refusedByRate.length <= refusalsMax, `${telegram.refusedByRate.length}`);
});

test('200 pages to one channel of Slack are refused hardly ever', async () => {
  await using stack = new AsyncDisposableStack();
  const { begin, page, states, clock } = await storm(stack, 'slack');
  const slack = stack.use(await startFakeSlack(clock.now));
  slack.addChannel(slackChannel);
  const step = begin({ baseUrl: slack.url, secrets: { bot_token: slack.botToken } });
  await page(slackChannel, pages);
  for (let seconds = 0; seconds <= pages; seconds += 1) await step(seconds);
  assert.deepEqual(await states(), { sent: pages });
  assert.equal(slack.messages.length, pages);
  assert.ok(slack.refusedByRate.length <= refusalsMax, `${slack.refusedByRate.length}`);
});

test('a chat that Telegram refuses holds up its own pages alone, without a request', async () => {
  await using stack = new AsyncDisposableStack();
  const { begin, page, states, attempts, clock } = await storm(stack, 'telegram');
  const telegram = stack.use(await startFakeTelegram(clock.now));
  telegram.start('42');
  telegram.start('43');
  const step = begin({ baseUrl: telegram.url, secrets: { bot_token: telegram.token } });
  await page('42', 8);
  await step(0);
  telegram.misbehave('sendMessage', { type: 'too_many', retryAfter: 20 });
  await step(1);
  const requests = telegram.calls.length;
  await page('43', 1);
  for (let seconds = 2; seconds <= 20; seconds += 1) await step(seconds);
  assert.equal(telegram.calls.length, requests + 1, 'the page to the other chat');
  assert.equal(telegram.messages.at(-1)?.chatId, '43');
  for (let seconds = 21; seconds <= 40; seconds += 1) await step(seconds);
  assert.deepEqual(await states(), { sent: 9 });
  assert.equal(await attempts(), 10, 'one was refused, and none counts that waited');
});

test('a bot that Telegram refuses is left alone in all its chats', async () => {
  await using stack = new AsyncDisposableStack();
  const { begin, page, states, clock } = await storm(stack, 'telegram');
  const telegram = stack.use(await startFakeTelegram(clock.now));
  const chats = Array.from({ length: 9 }, (_, index) => String(42 + index));
  for (const chat of chats) telegram.start(chat);
  const step = begin({ baseUrl: telegram.url, secrets: { bot_token: telegram.token } });
  telegram.misbehave('sendMessage', { type: 'too_many', retryAfter: 20 });
  await page('42', 1);
  await step(0);
  for (const chat of chats.slice(1)) await page(chat, 1);
  for (let seconds = 1; seconds < 20; seconds += 1) await step(seconds);
  assert.equal(telegram.calls.length, 1, 'the one that was refused');
  for (let seconds = 20; seconds <= 25; seconds += 1) await step(seconds);
  assert.deepEqual(await states(), { sent: chats.length });
});
