// The matrix of shift notices with its monthly limit: people by each personal channel, for all schedules and
// for one that differs; chat channels of the organization, and of one schedule; webhooks. 6.1, 8
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/engine/clock.ts';
import { chatChannels, shiftChannels } from '../../src/resources/channels.ts';
import { anyDatabase } from '../database.ts';
import { startWebhookServer } from '../webhook-server.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { addContact, settingsFor, startEveryVendor } from './every-vendor.ts';
import { type InProcess, startInProcess } from './in-process.ts';

const events = ['start', 'end'] as const;
type Event = (typeof events)[number];

/** By person: what somebody wants of all schedules; of one other they want just what is not among it. */
const personal = ['phone', 'sms', 'whatsapp', 'telegram', 'email'] as const;
type Personal = (typeof personal)[number];
const wishes = {
  both: ['start', 'end'],
  start: ['start'],
  end: ['end'],
  neither: [],
} as const satisfies Record<string, readonly Event[]>;
type Wish = keyof typeof wishes;

/** The channels of chat tools: those of the organization, and those that one schedule has instead. */
const rooms = {
  slack: { organization: 'C0000ONCALL', schedule: 'C0000SHOP0' },
  msteams: { organization: '19:oncall@thread.tacv2', schedule: '19:shop@thread.tacv2' },
  discord: { organization: '845027738276400001', schedule: null },
} as const;
type Room = keyof typeof rooms;
const roomNames = Object.keys(rooms) as Room[];

const methods = ['POST', 'PUT', 'GET'] as const;
const people = personal.flatMap((channel, at) =>
  (Object.keys(wishes) as Wish[]).map((wish, index) => {
    const number = at * 10 + index;
    return { channel, wish, address: addressOf(channel, number), number };
  }),
);
type Person = (typeof people)[number];

test('the matrix names every channel that carries notices of shifts', () => {
  assert.deepEqual(personal.toSorted(), shiftChannels.toSorted());
  assert.deepEqual(roomNames.toSorted(), chatChannels.toSorted());
});

test('each notice of a shift arrives as it is set, and counts in the monthly limit, which stops no page', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  await noticesByPerson(world);
  await noticesByChat(world);
  await nothingButPagesBeyondTheLimit(world);
});

type World = Awaited<ReturnType<typeof start>>;

async function start(stack: AsyncDisposableStack) {
  let minutesAhead = 0;
  const vendors = stack.use(
    await startEveryVendor({ now: () => systemClock.now().add({ minutes: minutesAhead }) }),
  );
  const webhook = stack.use(await startWebhookServer((_, response) => response.end()));
  const pager = stack.use(await startInProcess(await anyDatabase(), settingsFor(vendors)));
  const { mail, twilio, telegram, whatsapp, slack, msteams, discord } = vendors;
  await vendors.connect(pager.api, pager.url);
  for (const id of Object.values(rooms.slack)) slack.addChannel(id);
  const { organization, schedule } = rooms.msteams;
  msteams.addTeam('19:team@thread.tacv2', 'Shop', {
    [organization]: 'on-call',
    [schedule]: 'shop',
  });
  discord.addChannel(rooms.discord.organization);
  const handoff = Temporal.Now.instant()
    .toZonedDateTimeISO('UTC')
    .add({ minutes: 30 })
    .toPlainTime()
    .toString()
    .slice(0, 5);
  /** Everything that has arrived anywhere: by which channel, where, and its text. */
  const arrived = (): readonly (readonly [string, string, string])[] => [
    ...mail.mails.map(({ to, subject }) => ['email', to, subject] as const),
    ...twilio.calls.map(({ to, twiml }) => ['phone', to, twiml] as const),
    ...twilio.messages.map(({ to, body }) => ['sms', to, body] as const),
    ...telegram.messages.map(({ chatId, text }) => ['telegram', chatId, text] as const),
    ...whatsapp.messages.map(({ to, text }) => ['whatsapp', to, text] as const),
    ...slack.messages.map(({ channel, shown }) => ['slack', channel, shown] as const),
    ...msteams.messages.map(({ conversation, shown }) => {
      return ['msteams', conversation.split(';')[0] ?? '', shown] as const;
    }),
    ...discord.messages.map(({ channelId, shown }) => ['discord', channelId, shown] as const),
  ];
  const received = new Set<string>();
  return {
    pager,
    vendors,
    webhook,
    arrived,
    rotation: { length: 1, unit: 'days', handoff },
    async pass(minutes: number) {
      await pager.pass({ minutes });
      minutesAhead += minutes;
    },
    /** WhatsApp has brought everything to its person. */
    async bringWhatsApp() {
      for (const message of whatsapp.messages) {
        if (received.has(message.id)) continue;
        received.add(message.id);
        await whatsapp.report(message, 'delivered');
      }
    },
  };
}

/** Such as `sms +49… start of Shop schedule`. */
function noticesOf({ arrived }: World, schedules: readonly string[]): readonly string[] {
  return arrived().flatMap(([channel, place, text]) => {
    const [lead] = /on call now|ended/.exec(text) ?? [];
    const schedule = schedules.find((name) => text.includes(name));
    if (lead === undefined || schedule === undefined) return [];
    return [`${channel} ${place} ${lead === 'ended' ? 'end' : 'start'} of ${schedule}`];
  });
}

const scheduleOf = ({ channel, wish }: Person, which: 'general' | 'other') =>
  `${channel} ${wish} ${which}`;

const isWanted = (wish: Wish, which: 'general' | 'other', event: Event): boolean =>
  wishes[wish].some((one) => one === event) === (which === 'general');

async function noticesByPerson(world: World): Promise<void> {
  const { pager, rotation } = world;
  const next = await addUser(pager, 'next@example.test', 'Grace');
  await setWishes(pager, next, { shift_start: [] });
  const schedules: string[] = [];
  for (const person of people) {
    const { channel, wish, number } = person;
    const id = await addUser(pager, addressOf('email', number), `Person ${number}`);
    await makeReachable(world, id, person);
    const create = (which: 'general' | 'other') =>
      pager.api.create('on-calls', {
        name: scheduleOf(person, which),
        layers: [{ users: [next, id], rotation }],
      });
    const [general, other] = [await create('general'), await create('other')];
    schedules.push(general.id, other.id);
    const wanted = (which: 'general' | 'other') => ({
      shift_start: isWanted(wish, which, 'start') ? [channel] : [],
      shift_end: isWanted(wish, which, 'end') ? [channel] : [],
    });
    await setWishes(pager, id, {
      ...wanted('general'),
      schedules: [{ oncall_schedule_id: other.id, ...wanted('other') }],
    });
  }
  const names = people.flatMap((one) => [scheduleOf(one, 'general'), scheduleOf(one, 'other')]);
  const wanted: string[] = [];
  for (const [event, minutes] of [['start', 30] as const, ['end', 24 * 60] as const]) {
    await world.pass(minutes);
    for (const person of people)
      for (const which of ['general', 'other'] as const)
        if (isWanted(person.wish, which, event))
          wanted.push(
            `${person.channel} ${person.address} ${event} of ${scheduleOf(person, which)}`,
          );
    await arrives(world, () => noticesOf(world, names), wanted);
    await confirmed(world);
  }
  await world.pass(10);
  assert.deepEqual(noticesOf(world, names).toSorted(), wanted.toSorted());
  const each = wanted.length / personal.length;
  assert.deepEqual(await used(pager), Object.fromEntries(personal.map((name) => [name, each])));
  for (const id of schedules) await pager.api.send(`DELETE /on-calls/${id}`);
}

/** What chats are told at a handoff; Discord has no channels of one schedule. */
const inChats = {
  'Web schedule': roomNames.map((name) => placeOf(name)),
  'Shop schedule': roomNames.map((name) => placeOf(name, 'schedule')),
  'Quiet schedule': [placeOf('discord')],
};
const chatSchedules = Object.keys(inChats);
const handoffInChats = Object.entries(inChats).flatMap(([name, places]) =>
  places.flatMap((place) => events.map((event) => `${place} ${event} of ${name}`)),
);

async function noticesByChat(world: World): Promise<void> {
  const { pager, rotation, webhook } = world;
  const users: string[] = [];
  for (const name of ['Ada', 'Linus']) {
    const id = await addUser(pager, `${name.toLowerCase()}@example.test`, name);
    await setWishes(pager, id, { shift_start: [], shift_end: [] });
    users.push(id);
  }
  const replaced: Readonly<Record<string, object>> = {
    'Shop schedule': {
      slack: [{ channel_id: rooms.slack.schedule, mention: '@here' }],
      msteams: [{ channel_id: rooms.msteams.schedule }],
    },
    'Quiet schedule': { slack: [], msteams: [] },
  };
  const schedules = new Map<string, string>();
  for (const name of chatSchedules) {
    const { id } = await pager.api.create('on-calls', { name, layers: [{ users, rotation }] });
    schedules.set(name, id);
  }
  // The shifts that begin with the schedules are announced nowhere yet.
  await eventually('the first shifts have begun', async () => {
    const waiting = await pager.sql`
      select from shift_cursors
      where oncall_schedule_id = any(${[...schedules.values()]}) and shift_id is null`;
    return waiting.length === 0;
  });
  for (const [name, settings] of Object.entries(replaced))
    await save(pager, `PATCH /on-calls/${schedules.get(name)}/notifications`, settings);
  const webhooks = [];
  for (const method of methods) {
    const url = `${webhook.url}/${method}`;
    webhooks.push(await pager.api.create('outbound-webhooks', { name: method, url, method }));
  }
  await pager.calm();
  const before = await used(pager);
  const inRooms = Object.entries(rooms).map(([name, { organization }]) => [
    name,
    [{ channel_id: organization }],
  ]);
  await save(pager, 'PATCH /organization', {
    shift_notifications: {
      ...Object.fromEntries(inRooms),
      outbound_webhook_ids: webhooks.map(({ id }) => id),
    },
  });
  await world.pass(24 * 60);
  await arrives(world, () => noticesOf(world, chatSchedules), handoffInChats);
  await confirmed(world);
  const mentioned = world.vendors.slack.messages.filter(({ mentions }) => mentions.length > 0);
  assert.deepEqual(
    new Set(mentioned.map(({ channel }) => channel)),
    new Set([rooms.slack.schedule]),
  );
  const inEach = (name: Room) => handoffInChats.filter((one) => one.startsWith(name)).length;
  assert.deepEqual(await used(pager), {
    ...before,
    ...Object.fromEntries(roomNames.map((name) => [name, inEach(name)])),
  });
  assert.deepEqual(webhookCalls(world), callsOf(1));
}

async function nothingButPagesBeyondTheLimit(world: World): Promise<void> {
  const { pager } = world;
  const { api } = pager;
  const [ada] = await api
    .list('users')
    .then((all) => all.filter(({ email }) => /^ada/.test(email)));
  for (const channel of personal)
    if (channel !== 'email')
      await makeReachable(world, ada.id, { channel, address: addressOf(channel, 99) });
  await setWishes(pager, ada.id, { shift_start: personal, shift_end: personal });
  await save(pager, 'PATCH /organization', { monthly_alert_limit: 0 });
  const before = noticesOf(world, chatSchedules).length;
  await world.pass(24 * 60);
  const stopped = handoffInChats.length + personal.length * chatSchedules.length;
  await eventually(`${stopped} notices are stopped`, async () => {
    const rows = await pager.sql`
      select from outbox
      where state = 'cancelled' and reason = 'the monthly alert limit is reached'`;
    return rows.length === stopped;
  });
  await eventually('webhooks are called', () => webhookCalls(world).length >= callsOf(2).length);
  assert.deepEqual(webhookCalls(world), callsOf(2));
  assert.equal(noticesOf(world, chatSchedules).length, before);

  const [policy] = await api.list('escalation-policies');
  const targets = [
    ...personal.map((via) => ({ via, user_id: ada.id })),
    ...Object.entries(rooms).map(([via, { organization }]) => ({ via, channel_id: organization })),
  ];
  await save(pager, `PATCH /escalation-policies/${policy.id}`, { steps: [{ targets }] });
  const [integration] = await api.list('integrations');
  await postJson(integration.webhook_url, { title: 'Disk full' });
  const paged = () =>
    world
      .arrived()
      .filter(([, , text]) => text.includes('Disk full'))
      .map(([channel]) => channel);
  await arrives(world, paged, [...personal, ...roomNames]);
}

/** Each of them once, and nothing else. */
async function arrives(
  { bringWhatsApp }: World,
  read: () => readonly string[],
  wanted: readonly string[],
): Promise<void> {
  const missing = () => {
    const there = new Set(read());
    return wanted.filter((one) => !there.has(one));
  };
  await eventually(
    () => `each that is wanted; missing: ${missing().join(', ')}`,
    async () => {
      await bringWhatsApp();
      return read().length >= wanted.length;
    },
  );
  assert.deepEqual(read().toSorted(), wanted.toSorted());
}

async function confirmed({ pager, bringWhatsApp }: World): Promise<void> {
  let open: readonly object[] = [];
  await eventually(
    () => `every one of them is confirmed, but ${JSON.stringify(open)}`,
    async () => {
      await bringWhatsApp();
      open = await pager.sql`
        select key, channel, state, reason, wake_at from outbox
        where state not in ('sent', 'skipped')`;
      return open.length === 0;
    },
  );
}

const webhookCalls = ({ webhook }: World): readonly string[] =>
  webhook.received.map(({ method }) => method).toSorted();
const callsOf = (handoffs: number): readonly string[] =>
  methods
    .flatMap((method) =>
      Array.from({ length: handoffs * events.length * chatSchedules.length }, () => method),
    )
    .toSorted();

function placeOf(name: Room, of: 'organization' | 'schedule' = 'organization'): string {
  return `${name} ${rooms[name][of] ?? rooms[name].organization}`;
}

function addressOf(channel: Personal, number: number): string {
  if (channel === 'email') return `person-${number}@example.test`;
  return channel === 'telegram'
    ? `471${number}`
    : `+49151123456${number.toString().padStart(2, '0')}`;
}

async function makeReachable(
  { pager, vendors }: World,
  userId: string,
  { channel, address }: Pick<Person, 'channel' | 'address'>,
): Promise<void> {
  if (channel === 'email') return;
  await addContact(pager.sql, { userId, channel, address });
  if (channel === 'phone') vendors.twilio.setHabit(address, { type: 'presses', keys: [] });
  if (channel === 'sms') vendors.twilio.setHabit(address, { type: 'receives' });
  if (channel === 'telegram') vendors.telegram.start(address);
}

async function addUser({ api }: InProcess, email: string, first_name: string): Promise<string> {
  const name = { first_name, last_name: 'Example' };
  return (await api.create('users', { email, ...name, role: 'responder' })).id;
}

const setWishes = (pager: InProcess, userId: string, settings: object) =>
  save(pager, `PUT /users/${userId}/notifications`, settings);

async function save({ api }: InProcess, what: string, fields: object): Promise<void> {
  const { status, body } = await api.send(what, fields);
  assert.equal(status, 200, JSON.stringify(body));
}

/** Of the monthly limit by channel, in whatever month. */
async function used({ sql }: InProcess): Promise<Readonly<Record<string, number>>> {
  const rows = await sql<{ name: string; count: number }[]>`
    select channel as name, sum(used)::integer as count from alert_usage group by channel`;
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
