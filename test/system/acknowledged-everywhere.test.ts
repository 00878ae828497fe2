// One incident that is paged by every channel, acknowledged by each of them in turn: all others show
// it, and the telephone stops to ring.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { type PushService, startPushService } from '../push-service.ts';
import { startFakeSlack } from '../vendors/slack.ts';
import { startFakeTelegram } from '../vendors/telegram.ts';
import { startFakeTwilio } from '../vendors/twilio.ts';
import { postJson, request } from './api-client.ts';
import { eventually } from './eventually.ts';
import { startInProcess } from './in-process.ts';

const chat = '4711';
const number = '+4915112345678';
const slackChannel = 'C0123ABCD';
const slackUser = 'U0ADA';
/** One for all: this process trusts a single certificate of that name. */
let push: PushService;
before(async () => {
  push = await startPushService();
});
after(() => push[Symbol.asyncDispose]());

async function start(stack: AsyncDisposableStack) {
  const slack = stack.use(await startFakeSlack());
  const telegram = stack.use(await startFakeTelegram());
  const twilio = stack.use(await startFakeTwilio());
  slack.addChannel(slackChannel);
  slack.addUser(slackUser, { email: 'owner@example.test' });
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      PAGER_ALLOW_NETWORKS: '127.0.0.0/8',
      PAGER_VENDOR_URLS: `slack=${slack.url},telegram=${telegram.url},twilio=${twilio.url}`,
    }),
  );
  const { api } = pager;
  const connect = (vendor: string, fields: object) =>
    api.create('channel-connections', { name: vendor, vendor, ...fields });
  await connect('telegram', { secrets: { bot_token: telegram.token } });
  await connect('slack', { secrets: { bot_token: slack.botToken, app_token: slack.appToken } });
  const { id } = await connect('twilio', {
    secrets: { auth_token: twilio.authToken },
    settings: {
      account_sid: twilio.account.sid,
      from_phone: twilio.number,
      from_sms: twilio.number,
      allowed_prefixes: ['+49'],
      calls_per_second: 10,
      messages_per_second: 10,
    },
  });
  await telegram.polled();
  await slack.connected();
  telegram.start(chat);
  twilio.setMessageWebhook(`${pager.url}/callbacks/sms/${id}`);
  twilio.setHabit(number, { type: 'receives' });

  const [{ id: owner }] = (await api.list('users')) as [{ id: string }];
  const browser = push.browser((await api.send('GET /push/key')).body.public_key);
  await api.create(`users/${owner}/contacts`, {
    channel: 'push-notification',
    address: `web:${JSON.stringify(browser.subscription)}`,
  });
  await pager.sql`update contacts set verified_at = now()`;
  for (const [channel, address] of [
    ['phone', number],
    ['sms', number],
    ['telegram', chat],
  ] as const)
    await pager.sql`
      insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
      select organization_id, ${channel.padEnd(24, '0')}, id, ${channel}, ${address}, now(), now()
      from users where id = ${owner}`;
  const [policy] = await api.list('escalation-policies');
  const personal = ['phone', 'sms', 'telegram', 'push-notification'];
  const targets = [
    ...personal.map((via) => ({ via, user_id: owner })),
    { via: 'slack', channel_id: slackChannel },
  ];
  const saved = await api.send(`PATCH /escalation-policies/${policy.id}`, {
    steps: [{ targets, escalate_after_minutes: 30 }, { targets }],
  });
  assert.deepEqual([saved.status, saved.body.warnings ?? []], [200, []]);
  return { pager, slack, telegram, twilio, browser, owner };
}

type World = Awaited<ReturnType<typeof start>>;

/** A new incident, and everything that it is paged by. */
async function page({ pager, slack, telegram, twilio, browser }: World, title: string) {
  const [integration] = await pager.api.list('integrations');
  const { body } = await postJson(integration.webhook_url, { title });
  const { incident } = body.alerts[0];
  const call = await eventually('the call', () =>
    twilio.calls.find(({ twiml }) => twiml.includes(title)),
  );
  await twilio.ring(call.sid);
  const message = await eventually('the message', () =>
    telegram.messages.find(({ text }) => text.includes(title)),
  );
  const post = await eventually('the post', () =>
    slack.messages.find(({ shown }) => shown.includes(title)),
  );
  const notification = await eventually('the notification', () =>
    browser.received.find(({ content }) => content.title.includes(title)),
  );
  await eventually('the SMS', () => twilio.messages.find((sms) => sms.body.includes(title)));
  return { incident, call, message, post, notification };
}

type Paged = Awaited<ReturnType<typeof page>>;

const ways: Readonly<Record<string, (world: World, paged: Paged) => Promise<unknown>>> = {
  async phone({ twilio }, { call }) {
    const phone = await twilio.answer(call.sid);
    assert.equal(await phone.press('4'), true);
    await phone.listen();
  },
  sms: ({ twilio }, { incident }) => twilio.text(number, `4 ${incident}`),
  async telegram({ telegram }, { message }) {
    telegram.press(message.messageId, 'Acknowledge');
  },
  push: ({ pager }, { notification }) =>
    request(pager.url + notification.content.actions[0]?.path, {
      method: 'POST',
      headers: { accept: 'application/json' },
    }),
  async slack({ slack }, { post }) {
    slack.press(slackUser, post.ts, 'Acknowledge');
  },
  api: ({ pager }, { incident }) => pager.api.send(`POST /incidents/${incident}/acknowledge`, {}),
};

for (const [way, acknowledge] of Object.entries(ways))
  test(`what is acknowledged by ${way} is shown everywhere, and rings no more`, async () => {
    await using stack = new AsyncDisposableStack();
    const world = await start(stack);
    const { pager, twilio, browser, owner } = world;
    const title = `Disk ${way}`;
    const paged = await page(world, title);
    const { incident, call, message, post, notification } = paged;
    await acknowledge(world, paged);

    const shown = /Acknowledged by .+, \d\d:\d\d/;
    await eventually('Telegram shows it', () => shown.test(message.text));
    await eventually('Slack shows it', () => shown.test(post.shown));
    await eventually('the device shows it', () => {
      const last = browser.received.findLast(({ content: { tag } }) => {
        return tag === notification.content.tag;
      });
      return last?.content.silent === true && shown.test(last.content.body);
    });
    await eventually('the call is over', () => ['completed', 'canceled'].includes(call.status));
    const { body } = await pager.api.send(`GET /incidents/${incident}/timeline?limit=200`);
    const entries = body.data.filter(({ type }: { type: string }) => type === 'acknowledged');
    const actors = entries.map(({ actor }: { actor: { id?: string; via: string } }) => actor);
    assert.deepEqual(
      actors.map(({ via }: { via: string }) => via),
      [way],
    );
    if (way !== 'api') assert.equal(actors[0]?.id, owner);
    await pager.pass({ minutes: 40 });
    await eventually('nothing is due', async () => {
      const rows = await pager.sql`select from outbox where state = 'pending'`;
      return rows.length === 0;
    });
    const again = twilio.calls.filter(({ twiml }) => twiml.includes(title));
    assert.equal(again.length, 1, 'nobody is called once more');
    assert.deepEqual(push.complaints, []);
  });
