// Notices of shifts by every personal channel that has a vendor here, and in channels of Slack: a
// start and an end, for all schedules and for one that differs, and what each takes from the monthly
// limit. 6.1, 8
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { startFakeSlack } from '../vendors/slack.ts';
import { startFakeTelegram } from '../vendors/telegram.ts';
import { startFakeTwilio } from '../vendors/twilio.ts';
import { eventually } from './eventually.ts';
import { type InProcess, startInProcess } from './in-process.ts';
import { startMailServer } from './notice-servers.ts';
import { mailTo } from './server-process.ts';

const channels = ['email', 'phone', 'sms', 'telegram'] as const;
type Channel = (typeof channels)[number];

/** What somebody wants of all schedules; of one other they want just what is not among it. */
const wishes = {
  both: ['start', 'end'],
  start: ['start'],
  end: ['end'],
  neither: [],
} as const satisfies Record<string, readonly Event[]>;
const events = ['start', 'end'] as const;
type Event = (typeof events)[number];
type Wish = keyof typeof wishes;

const isWanted = (wish: Wish, schedule: 'general' | 'other', event: Event): boolean =>
  wishes[wish].some((one) => one === event) === (schedule === 'general');

type Person = {
  readonly channel: Channel;
  readonly wish: Wish;
  readonly address: string;
  readonly id: string;
};

test('a shift is announced by each channel, as the person and one schedule want it', async () => {
  await using stack = new AsyncDisposableStack();
  const mail = stack.use(await startMailServer());
  const twilio = stack.use(await startFakeTwilio());
  const telegram = stack.use(await startFakeTelegram());
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      ...mailTo(mail),
      PAGER_VENDOR_URLS: `twilio=${twilio.url},telegram=${telegram.url}`,
    }),
  );
  const { api } = pager;
  await api.create('channel-connections', {
    name: 'Bot',
    vendor: 'telegram',
    secrets: { bot_token: telegram.token },
  });
  await api.create('channel-connections', {
    name: 'Twilio',
    vendor: 'twilio',
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
  const next = await addUser(pager, 'next@example.test', 'Grace');
  await setWishes(pager, next, { shift_start: [] });

  const people: Person[] = [];
  for (const channel of channels)
    for (const wish of Object.keys(wishes) as Wish[]) {
      const index = people.length;
      const email = `person-${index}@example.test`;
      const id = await addUser(pager, email, `Person ${index}`);
      const address = channel === 'email' ? email : addressOf(channel, index);
      if (channel !== 'email') await addContact(pager, { userId: id, channel, address });
      if (channel === 'phone') twilio.setHabit(address, { type: 'presses', keys: [] });
      if (channel === 'sms') twilio.setHabit(address, { type: 'receives' });
      if (channel === 'telegram') telegram.start(address);
      people.push({ channel, wish, address, id });
    }

  const handoff = Temporal.Now.instant()
    .toZonedDateTimeISO('UTC')
    .add({ minutes: 30 })
    .round({ smallestUnit: 'minute', roundingMode: 'floor' });
  const rotation = {
    length: 1,
    unit: 'days',
    handoff: handoff.toPlainTime().toString().slice(0, 5),
  };
  for (const { id, channel, wish } of people) {
    const draft = { layers: [{ users: [next, id], rotation }] };
    await api.create('on-calls', { ...draft, name: `${channel} ${wish} general` });
    const other = await api.create('on-calls', { ...draft, name: `${channel} ${wish} other` });
    const wanted = (schedule: 'general' | 'other') => ({
      shift_start: isWanted(wish, schedule, 'start') ? [channel] : [],
      shift_end: isWanted(wish, schedule, 'end') ? [channel] : [],
    });
    await setWishes(pager, id, {
      ...wanted('general'),
      schedules: [{ oncall_schedule_id: other.id, ...wanted('other') }],
    });
  }

  const names = channels.join('|');
  const announced = new RegExp(`(on call now|ended)[^]*?((?:${names}) \\w+ (?:general|other))`);
  const notices = () =>
    [
      ...mail.mails.map(({ to, subject }) => ['email', to, subject]),
      ...twilio.calls.map(({ to, twiml }) => ['phone', to, twiml]),
      ...twilio.messages.map(({ to, body }) => ['sms', to, body]),
      ...telegram.messages.map(({ chatId, text }) => ['telegram', chatId, text]),
    ].flatMap(([channel, to, text = '']) => {
      const [, lead, schedule] = announced.exec(text) ?? [];
      return lead === undefined
        ? []
        : [`${channel} ${to} ${lead === 'ended' ? 'end' : 'start'} of ${schedule}`];
    });
  const wantedOf = (event: Event) =>
    people.flatMap(({ channel, wish, address }) =>
      (['general', 'other'] as const)
        .filter((schedule) => isWanted(wish, schedule, event))
        .map((schedule) => `${channel} ${address} ${event} of ${channel} ${wish} ${schedule}`),
    );
  const wanted: string[] = [];
  for (const [event, minutes] of [['start', 30] as const, ['end', 24 * 60] as const]) {
    await pager.pass({ minutes });
    wanted.push(...wantedOf(event));
    const missing = () => wanted.filter((one) => !notices().includes(one));
    await eventually(
      () => `each ${event} that is wanted; missing: ${missing().join(', ')}`,
      () => notices().length >= wanted.length,
    );
    let open: readonly object[] = [];
    await eventually(
      () => `every one of them is confirmed, but ${JSON.stringify(open)}`,
      async () => {
        open = await pager.sql`
          select key, channel, state, reason, wake_at from outbox
          where state not in ('sent', 'skipped')`;
        return open.length === 0;
      },
    );
    assert.deepEqual(notices().toSorted(), wanted.toSorted());
  }
  await pager.pass({ minutes: 10 });
  assert.deepEqual(notices().toSorted(), wanted.toSorted());
  assert.deepEqual(await used(pager), {
    open: 0,
    ...Object.fromEntries(channels.map((channel) => [channel, wanted.length / channels.length])),
  });
});

test('a shift is announced in the organisation’s channels of Slack, or in those of its schedule', async () => {
  await using stack = new AsyncDisposableStack();
  const slack = stack.use(await startFakeSlack());
  const pager = stack.use(
    await startInProcess(await anyDatabase(), { PAGER_VENDOR_URLS: `slack=${slack.url}` }),
  );
  const { api } = pager;
  await api.create('channel-connections', {
    name: 'Slack',
    vendor: 'slack',
    secrets: { bot_token: slack.botToken, app_token: slack.appToken },
  });
  const [ofAll, own] = ['C0000ONCALL', 'C0000SHOP0'];
  for (const id of [ofAll, own]) slack.addChannel(id);
  const all = await api.send('PATCH /organization', {
    shift_notifications: { slack: [{ channel_id: ofAll }] },
  });
  assert.equal(all.status, 200, JSON.stringify(all.body));
  const users = [];
  for (const name of ['Ada', 'Grace']) {
    const id = await addUser(pager, `${name.toLowerCase()}@example.test`, name);
    await setWishes(pager, id, { shift_start: [], shift_end: [] });
    users.push(id);
  }
  const handoff = Temporal.Now.instant()
    .toZonedDateTimeISO('UTC')
    .add({ minutes: 30 })
    .toPlainTime()
    .toString()
    .slice(0, 5);
  const layers = [{ users, rotation: { length: 1, unit: 'days', handoff } }];
  const ids = new Map<string, string>();
  for (const name of ['Web', 'Shop', 'Quiet'])
    ids.set(name, (await api.create('on-calls', { name, layers })).id);
  const posts = (from: number) =>
    slack.messages.slice(from).map(({ channel, shown }) => {
      const [schedule = '', title = ''] = /^\w+|\*.*\*/gm[Symbol.match](shown) ?? [];
      return `${channel} ${schedule}: ${title}`;
    });
  await eventually('the shifts that run already', () => posts(0).length === ids.size);
  const before = slack.messages.length;
  const replaced = { Shop: [{ channel_id: own, mention: '@here' }], Quiet: [] };
  for (const [name, channels] of Object.entries(replaced)) {
    const path = `/on-calls/${ids.get(name)}/notifications`;
    const saved = await api.send(`PATCH ${path}`, { slack: channels });
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
  }
  await pager.pass({ minutes: 30 });
  await eventually('the first handoff', () => posts(before).length === 4);
  await pager.pass({ minutes: 24 * 60 });
  await eventually('the second handoff', () => posts(before).length === 8);
  await pager.pass({ minutes: 10 });
  const handoffs = ['Ada', 'Grace'].flatMap((name) => [
    `${name} Example’s shift has ended`,
    `${name} Example is on call now`,
  ]);
  const wanted = [`${ofAll} Web`, `${own} Shop`].flatMap((place) =>
    handoffs.map((title) => `${place}: *${title}*`),
  );
  assert.deepEqual(posts(before).toSorted(), wanted.toSorted());
  const mentioned = slack.messages.filter(({ mentions }) => mentions.includes('<!here>'));
  assert.deepEqual(new Set(mentioned.map(({ channel }) => channel)), new Set([own]));
  assert.deepEqual(await used(pager), { open: 0, slack: ids.size + posts(before).length });

  const limited = await api.send('PATCH /organization', { monthly_alert_limit: 0 });
  assert.equal(limited.status, 200, JSON.stringify(limited.body));
  await pager.pass({ minutes: 24 * 60 });
  await eventually('the third handoff, which the limit stops', async () => {
    const [row] = await pager.sql<{ count: number }[]>`
      select count(*)::integer as count from outbox
      where state = 'cancelled' and reason = 'the monthly alert limit is reached'`;
    return row?.count === 4;
  });
  assert.equal(posts(before).length, 8);
});

const addressOf = (channel: Channel, index: number) =>
  channel === 'telegram' ? `471${index}` : `+491511234567${index}`;

async function addUser({ api }: InProcess, email: string, first_name: string): Promise<string> {
  const { id } = await api.create('users', {
    email,
    first_name,
    last_name: 'Example',
    role: 'responder',
  });
  return id;
}

type Contact = {
  readonly userId: string;
  readonly channel: Channel;
  readonly address: string;
};

async function addContact({ sql }: InProcess, { userId, channel, address }: Contact) {
  await sql`
    insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
    select organization_id, reverse(id), id, ${channel}, ${address}, now(), now()
    from users where id = ${userId}`;
}

async function setWishes({ api }: InProcess, userId: string, settings: object): Promise<void> {
  const { status, body } = await api.send(`PUT /users/${userId}/notifications`, settings);
  assert.equal(status, 200, JSON.stringify(body));
}

/** Of the monthly limit by channel, in whatever month; and the notices that are not ended. */
async function used({ sql }: InProcess): Promise<Readonly<Record<string, number>>> {
  const rows = await sql<{ name: string; count: number }[]>`
    select channel as name, sum(used)::integer as count from alert_usage group by channel
    union all
    select 'open', count(*)::integer from outbox where state not in ('sent', 'skipped')`;
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
