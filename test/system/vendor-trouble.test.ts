// A vendor that is busy, fails, loses its answer, or refuses the connection: each is on the timeline in
// a sentence, nobody’s contact is lost, and the page arrives all the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { startFakeSlack } from '../vendors/slack.ts';
import { startFakeTelegram } from '../vendors/telegram.ts';
import { startFakeTwilio } from '../vendors/twilio.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { startInProcess } from './in-process.ts';

const number = '+4915112345678';
const chat = '4711';
const slackChannel = 'C0123ABCD';

async function start(stack: AsyncDisposableStack) {
  const slack = stack.use(await startFakeSlack());
  const telegram = stack.use(await startFakeTelegram());
  const twilio = stack.use(await startFakeTwilio());
  slack.addChannel(slackChannel);
  telegram.start(chat);
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      PAGER_VENDOR_URLS: `slack=${slack.url},telegram=${telegram.url},twilio=${twilio.url}`,
    }),
  );
  const { api, sql } = pager;
  const connect = (vendor: string, fields: object) =>
    api.create('channel-connections', { name: vendor, vendor, ...fields });
  const connectTwilio = (account_sid: string, position = 1) =>
    connect('twilio', {
      name: `Twilio ${position}`,
      position,
      secrets: { auth_token: twilio.authToken },
      settings: {
        account_sid,
        from_phone: twilio.number,
        from_sms: twilio.number,
        allowed_prefixes: ['+49'],
        calls_per_second: 10,
        messages_per_second: 10,
      },
    });
  await connect('telegram', { secrets: { bot_token: telegram.token } });
  await connect('slack', { secrets: { bot_token: slack.botToken, app_token: slack.appToken } });
  await connectTwilio(twilio.account.sid);
  const ada = await api.create('users', {
    email: 'ada@example.test',
    first_name: 'Ada',
    last_name: 'Example',
    role: 'responder',
  });
  for (const channel of ['phone', 'sms', 'telegram'])
    await sql`
      insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
      select organization_id, ${channel.padEnd(24, '0')}, id, ${channel},
        ${channel === 'telegram' ? chat : number}, now(), now()
      from users where id = ${ada.id}`;
  await eventually('the bot has answered', () => telegram.messages.length === 1);
  const [policy] = await api.list('escalation-policies');
  const [integration] = await api.list('integrations');
  return {
    pager,
    slack,
    telegram,
    twilio,
    connectTwilio,
    ada,
    async pageBy(via: string, title: string): Promise<number> {
      const target = via === 'slack' ? { via, channel_id: slackChannel } : { via, user_id: ada.id };
      const saved = await api.send(`PATCH /escalation-policies/${policy.id}`, {
        steps: [{ targets: [target] }],
      });
      assert.deepEqual([saved.status, saved.body.warnings ?? []], [200, []]);
      const { body } = await postJson(integration.webhook_url, { title });
      return body.alerts[0].incident;
    },
    /** What the timeline says of pages. */
    async sentences(incident: number): Promise<readonly string[]> {
      const { body } = await api.send(`GET /incidents/${incident}/timeline?limit=200`);
      return (
        body.data
          // How long it took is not known here.
          .map(({ text }: { text: string }) => text.replace(/ after \d+ (s|min)\b/, ''))
          .filter((text: string) => text.startsWith('The page to'))
      );
    },
  };
}

type World = Awaited<ReturnType<typeof start>>;

type Way = {
  readonly name: string;
  readonly arrived: (world: World, title: string) => number;
  /** Whether what follows an acknowledgement there has been sent. */
  readonly isAnswered?: (world: World, title: string) => boolean;
  /** By what the timeline says of it. */
  readonly troubles: Readonly<Record<string, (world: World) => void>>;
  /** The connection is refused. */
  readonly refusal: readonly [sentence: string, (world: World) => void];
};

const byTwilio = (kind: 'Calls' | 'Messages'): Pick<Way, 'troubles' | 'refusal'> => {
  const of = (how: Parameters<World['twilio']['misbehave']>[1]) => {
    return ({ twilio }: World) => twilio.misbehave(`POST /${kind}.json`, how);
  };
  const refused = (status: number, code: number, message: string) =>
    of({ type: 'refuse', status, code, message });
  return {
    troubles: {
      'Twilio: too many requests at once (20429: Busy)': refused(429, 20429, 'Busy'),
      'Twilio: the service failed (20500: Internal Server Error)': of({ type: 'broken' }),
      'Twilio: the connection failed (ECONNRESET)': of({ type: 'reset' }),
    },
    refusal: [
      'Twilio: the credentials are not valid: set account_sid and auth_token to the values in the Twilio console, or use an API key that is not revoked (20003: Authenticate)',
      refused(401, 20003, 'Authenticate'),
    ],
  };
};

const bySlack = (how: Parameters<World['slack']['misbehave']>[1]) => {
  return ({ slack }: World) => slack.misbehave('chat.postMessage', how);
};
const byTelegram = (how: Parameters<World['telegram']['misbehave']>[1]) => {
  return ({ telegram }: World) => telegram.misbehave('sendMessage', how);
};

const ways: Readonly<Record<string, Way>> = {
  phone: {
    name: 'The page to Ada Example by phone',
    arrived: ({ twilio }, title) => twilio.calls.filter((one) => one.twiml.includes(title)).length,
    ...byTwilio('Calls'),
  },
  sms: {
    name: 'The page to Ada Example by SMS',
    arrived: ({ twilio }, title) =>
      twilio.messages.filter((one) => one.body.includes(title)).length,
    ...byTwilio('Messages'),
  },
  telegram: {
    name: 'The page to Ada Example in Telegram',
    arrived: ({ telegram }, title) =>
      telegram.messages.filter((one) => one.text.includes(title)).length,
    troubles: {
      'Telegram: too many requests at once (429: Too Many Requests: retry after 1)': byTelegram({
        type: 'too_many',
        retryAfter: 1,
      }),
      'Telegram: the service failed (500: Internal Server Error)': byTelegram({ type: 'broken' }),
      'Telegram: the connection failed (ECONNRESET)': byTelegram({ type: 'reset' }),
    },
    refusal: [
      'Telegram: the bot token is not valid: set bot_token to the one that @BotFather shows for the bot (401: Unauthorized)',
      byTelegram({ type: 'refuse', code: 401, description: 'Unauthorized' }),
    ],
  },
  slack: {
    name: 'The page to C0123ABCD in Slack',
    arrived: ({ slack }, title) => slack.messages.filter((one) => one.shown.includes(title)).length,
    isAnswered({ slack: { messages } }, title) {
      const post = messages.find((one) => one.shown.includes(title));
      return messages.some(({ threadTs }) => threadTs === post?.ts);
    },
    troubles: {
      'Slack: too many requests at once (ratelimited)': bySlack({
        type: 'too_many',
        retryAfter: 1,
      }),
      'Slack: the service failed (internal_error)': bySlack({
        type: 'refuse',
        error: 'internal_error',
      }),
      'Slack: answered 500 in a form that is not the Web API’s': bySlack({ type: 'broken' }),
      'Slack: timed out waiting for the answer': bySlack({ type: 'hang' }),
    },
    refusal: [
      'Slack: the token was revoked (token_revoked): see bot_token of the connection',
      bySlack({ type: 'refuse', error: 'token_revoked' }),
    ],
  },
};

for (const [via, { name, arrived, isAnswered, troubles, refusal }] of Object.entries(ways))
  test(`what goes wrong by ${via} is on the timeline, and the page arrives once`, async () => {
    await using stack = new AsyncDisposableStack();
    const world = await start(stack);
    const { pager, pageBy, sentences } = world;
    for (const [index, [sentence, misbehave]] of Object.entries(troubles).entries()) {
      misbehave(world);
      const title = `Trouble ${index}`;
      const incident = await pageBy(via, title);
      const hasSentence = (end: RegExp) => async () =>
        (await sentences(incident)).some((one) => end.test(one));
      await eventually('the failure', hasSentence(/ failed and is retried: /));
      await pager.pass({ minutes: 1 });
      await eventually('the page', hasSentence(/ was sent/));
      const [failure, arrival] = await sentences(incident);
      assert.equal(failure, `${name} failed and is retried: ${sentence}`);
      assert.ok(arrival?.startsWith(`${name} was `));
      assert.equal(arrived(world, title), 1);
      // A telephone takes the next call when this one has ended.
      await pager.api.send(`POST /incidents/${incident}/acknowledge`, {});
      await eventually('no call rings', () =>
        world.twilio.calls.every(({ status }) => status !== 'queued'),
      );
      // What the next trouble meets is the next page, not the end of this one.
      await pager.calm();
      await eventually('its end', () => isAnswered?.(world, title) ?? true);
    }
    const [sentence, refuse] = refusal;
    refuse(world);
    const incident = await pageBy(via, 'Refused');
    await eventually('the refusal', async () => (await sentences(incident)).length > 0);
    assert.equal((await sentences(incident))[0], `${name} failed permanently: ${sentence}`);
    const { body } = await pager.api.send(`GET /users/${world.ada.id}/contacts`);
    assert.ok(body.data.every(({ verified }: { verified: boolean }) => verified));
  });

test('what one account takes and loses goes by the next, and the timeline says why', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { pager, twilio, pageBy, sentences, connectTwilio } = world;
  const { name, arrived } = ways['sms'] ?? assert.fail('there is no such channel');
  await connectTwilio(twilio.otherAccount.sid, 2);
  const incident = await pageBy('sms', 'Lost');
  await eventually('the first', () => arrived(world, 'Lost') === 1);
  await eventually('its sentence', async () => (await sentences(incident)).length === 1);
  await pager.pass({ minutes: 2 });
  await eventually('the second', async () => (await sentences(incident)).length === 2);
  await twilio.report(twilio.messages[0]?.sid ?? '', 'delivered');
  await eventually('its end', async () => (await sentences(incident)).length === 3);
  assert.deepEqual(await sentences(incident), [
    `${name} was sent to Twilio 1, and its receipt is pending`,
    `${name} was sent to Twilio 2 again, because nothing was reported for the previous attempt, and its receipt is pending`,
    `${name} was delivered by Twilio 2`,
  ]);
  assert.deepEqual(
    twilio.messages.map(({ account }) => account),
    [twilio.otherAccount.sid, twilio.account.sid],
  );
});

test('what Slack takes is posted again if its answer is lost, and the timeline says why', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { pager, slack, pageBy, sentences } = world;
  const { name, arrived } = ways['slack'] ?? assert.fail('there is no such channel');
  slack.misbehave('chat.postMessage', { type: 'answer_lost' });
  const incident = await pageBy('slack', 'Lost');
  await eventually('the first', async () => (await sentences(incident)).length === 1);
  assert.equal(arrived(world, 'Lost'), 1);
  await pager.pass({ minutes: 1 });
  await eventually('the second', async () => (await sentences(incident)).length === 2);
  assert.deepEqual(await sentences(incident), [
    `${name} failed and is retried: Slack: the connection failed (ECONNRESET)`,
    `${name} was sent`,
  ]);
  assert.equal(arrived(world, 'Lost'), 2);
});
