// An incident that is paged by every channel, acknowledged in each of them in turn: all others show it, and
// the telephone stops to ring.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '../../src/engine/clock.ts';
import { type ChannelName, channels } from '../../src/resources/channels.ts';
import { anyDatabase } from '../database.ts';
import { send } from '../mail-client.ts';
import { type PushService, startPushService } from '../push-service.ts';
import { postJson, request } from './api-client.ts';
import { eventually } from './eventually.ts';
import { settingsFor, startEveryVendor } from './every-vendor.ts';
import { freePort } from './free-port.ts';
import { startInProcess } from './in-process.ts';
import { addPeople, codeOf, people, recipients, rooms, targetOf, team } from './recipients.ts';

const stack = new AsyncDisposableStack();
let push: PushService;
let world: Awaited<ReturnType<typeof start>>;
before(async () => {
  push = stack.use(await startPushService());
  world = await start();
});
after(() => stack.disposeAsync());

async function start() {
  let minutesAhead = 0;
  const now = () => systemClock.now().add({ minutes: minutesAhead });
  const vendors = stack.use(await startEveryVendor({ now }));
  const mailPort = await freePort();
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      ...settingsFor(vendors),
      PAGER_EMAIL_LISTEN: `127.0.0.1:${mailPort}`,
      PAGER_EMAIL_DOMAIN: 'alerts.test',
    }),
  );
  const { api, sql } = pager;
  await vendors.connect(api, pager.url);
  const owner = await addPeople(vendors, api, sql);
  vendors.twilio.setHabit(people.texted, { type: 'receives' });
  const browser = push.browser((await api.send('GET /push/key')).body.public_key);
  await api.create(`users/${owner}/contacts`, {
    channel: 'push-notification',
    address: `web:${JSON.stringify(browser.subscription)}`,
  });
  await sql`update contacts set verified_at = now()`;
  const targets = (Object.keys(channels) as ChannelName[]).map((via) => targetOf(via, owner));
  const [policy] = await api.list('escalation-policies');
  const saved = await api.send(`PATCH /escalation-policies/${policy.id}`, {
    steps: [{ targets, escalate_after_minutes: 30 }, { targets }],
  });
  assert.deepEqual([saved.status, saved.body.warnings ?? []], [200, []]);
  const pass = async (minutes: number) => {
    await pager.pass({ minutes });
    minutesAhead += minutes;
  };
  return { vendors, pager, mailPort, browser, owner, now, pass };
}

/** A new incident, and everything that it is paged by. */
async function page(title: string) {
  const { vendors, pager, browser } = world;
  const { twilio, mail, telegram, whatsapp, slack, msteams, discord } = vendors;
  const [integration] = await pager.api.list('integrations');
  const { body } = await postJson(integration.webhook_url, { title });
  const find = <T>(what: string, all: () => readonly T[], textOf: (one: T) => string) =>
    eventually(what, () => all().find((one) => textOf(one).includes(title)));
  const call = await find(
    'the call',
    () => twilio.calls,
    ({ twiml }) => twiml,
  );
  await twilio.ring(call.sid);
  const posts = {
    telegram: await find(
      'Telegram',
      () => telegram.messages,
      ({ text }) => text,
    ),
    slack: await find(
      'Slack',
      () => slack.messages,
      ({ shown }) => shown,
    ),
    msteams: await find(
      'Teams',
      () => msteams.messages,
      ({ shown }) => shown,
    ),
    discord: await find(
      'Discord',
      () => discord.messages,
      ({ shown }) => shown,
    ),
  };
  await find(
    'the SMS',
    () => twilio.messages,
    (sms) => sms.body,
  );
  const paged = {
    incident: body.alerts[0].incident,
    call,
    posts,
    mail: await find(
      'the mail',
      () => mail.mails,
      ({ subject }) => subject,
    ),
    whatsapp: await find(
      'WhatsApp',
      () => whatsapp.messages,
      ({ text }) => text,
    ),
    notification: await find(
      'the push',
      () => browser.received,
      ({ content }) => content.title,
    ),
  };
  await whatsapp.report(paged.whatsapp, 'delivered');
  // What stands in chats is recorded, so that replies below it are known.
  await pager.calm();
  return paged;
}

type Paged = Awaited<ReturnType<typeof page>>;

/** By the channel that the timeline names. */
const ways: readonly (readonly [string, string, (paged: Paged) => unknown])[] = [
  [
    'phone',
    'a key in a call',
    async ({ call }) => {
      const telephone = await world.vendors.twilio.answer(call.sid);
      assert.equal(await telephone.press('4'), true);
      await telephone.listen();
    },
  ],
  ['sms', 'an SMS', ({ incident }) => world.vendors.twilio.text(people.texted, `4 ${incident}`)],
  ['email', 'the reply to a mail', ({ mail }) => reply(mail.headers['reply-to'] ?? '')],
  [
    'whatsapp',
    'a button in WhatsApp',
    ({ whatsapp }) => world.vendors.whatsapp.press(whatsapp, 'Acknowledge'),
  ],
  [
    'telegram',
    'a button in Telegram',
    ({ posts }) => world.vendors.telegram.press(posts.telegram.messageId, 'Acknowledge'),
  ],
  [
    'push',
    'a button of a push',
    ({ notification }) =>
      request(world.pager.url + notification.content.actions[0]?.path, {
        method: 'POST',
        headers: { accept: 'application/json' },
      }),
  ],
  [
    'slack',
    'a button in Slack',
    ({ posts }) => world.vendors.slack.press(people.slack, posts.slack.ts, 'Acknowledge'),
  ],
  [
    'slack',
    'a reply in a thread of Slack',
    ({ posts: { slack } }) => {
      const ts = (world.now().epochMilliseconds / 1_000).toFixed(6);
      const below = { channel: rooms.slack, threadTs: slack.ts };
      world.vendors.slack.writeMessage({ userId: people.slack, ...below, ts, text: 'ack' });
    },
  ],
  [
    'msteams',
    'a button in Teams',
    ({ posts }) => world.vendors.msteams.press(people.msteams, posts.msteams, 'Acknowledge'),
  ],
  [
    'msteams',
    'a reply in a thread of Teams',
    ({ posts: { msteams: below } }) => {
      const on = { teamId: team, channelId: rooms.msteams, below };
      return world.vendors.msteams.mention(people.msteams, on, 'ack');
    },
  ],
  [
    'discord',
    'a button in Discord',
    ({ posts }) => world.vendors.discord.press(people.discord, posts.discord.id, 'Acknowledge'),
  ],
  [
    'api',
    'the API',
    ({ incident }) => world.pager.api.send(`POST /incidents/${incident}/acknowledge`, {}),
  ],
];

async function reply(to: string): Promise<void> {
  const mail = { from: 'owner@example.test', to, subject: 'Re: Disk', text: 'ack' };
  assert.equal(await send({ port: world.mailPort }, mail), 250);
}

test('each channel is acknowledged in', () => {
  const named = new Set(ways.map(([via]) => via));
  const all = Object.keys(channels).map((via) => (via === 'push-notification' ? 'push' : via));
  assert.deepEqual([...named].sort(), [...all, 'api'].sort());
});

const shown = /Acknowledged by .+, \d\d:\d\d/;

for (const [index, [via, way, acknowledge]] of ways.entries())
  test(`what is acknowledged by ${way} is shown everywhere, and rings no more`, async () => {
    const { vendors, pager, browser, owner } = world;
    const title = `Disk ${codeOf(index)}`;
    const paged = await page(title);
    await acknowledge(paged);

    const { posts } = paged;
    await eventually('Telegram shows it', () => shown.test(posts.telegram.text));
    for (const post of [posts.slack, posts.msteams, posts.discord])
      await eventually('the room shows it', () => shown.test(post.shown));
    await eventually('the device shows it', () => {
      const last = browser.received.findLast(({ content: { tag } }) => {
        return tag === paged.notification.content.tag;
      });
      return last?.content.silent === true && shown.test(last.content.body);
    });
    const over = ['completed', 'canceled'];
    await eventually('the call is over', () => over.includes(paged.call.status));
    const path = `GET /incidents/${paged.incident}/timeline?limit=200`;
    const { body } = await pager.api.send(path);
    const entries = body.data.filter(({ type }: { type: string }) => type === 'acknowledged');
    const actors = entries.map(({ actor }: { actor: { id?: string; via: string } }) => actor);
    assert.deepEqual(
      actors.map((actor: { via: string }) => actor.via),
      [via],
    );
    if (via !== 'api') assert.equal(actors[0]?.id, owner);
    await world.pass(40);
    await eventually('nothing is due', async () => {
      const rows = await pager.sql`select from outbox where state = 'pending'`;
      return rows.length === 0;
    });
    for (const channel of Object.keys(channels) as ChannelName[]) {
      if (channel === 'push-notification') continue;
      const copies = recipients[channel].copies(vendors).filter(({ text }) => text.includes(title));
      assert.ok(copies.length <= 1, `${channel} pages no second time`);
    }
    assert.deepEqual(push.complaints, []);
  });
