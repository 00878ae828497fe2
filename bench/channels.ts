// From an event to a call, to messages in Telegram and WhatsApp, and to posts in Slack, Teams and
// Discord; from an acknowledgement to all of them showing it; and a storm of SMS under a vendor's
// pace. The vendors are fakes that answer from memory and hold each request to the published contract.
import { setImmediate as turn } from 'node:timers/promises';
import { type FakeDiscord, startFakeDiscord } from '../test/vendors/discord.ts';
import { type FakeTeams, startFakeTeams } from '../test/vendors/msteams.ts';
import { type FakeSlack, startFakeSlack } from '../test/vendors/slack.ts';
import { type FakeTelegram, startFakeTelegram } from '../test/vendors/telegram.ts';
import { type FakeTwilio, startFakeTwilio } from '../test/vendors/twilio.ts';
import { type FakeWhatsAppCloud, startFakeWhatsAppCloud } from '../test/vendors/whatsapp-cloud.ts';
import { newTitles } from './events.ts';
import { quantile } from './load.ts';
import { type Report, times } from './report.ts';
import { type Bench, connectTo, hookFor, startBench } from './world.ts';

const chat = '4711';
/** Each takes a message a second, and after each page one more in its thread. */
const rooms = [1, 2, 3, 4, 5].map((index) => ({
  slack: `C0123ABC${index}`,
  msteams: `19:ops-${index}@thread.tacv2`,
  discord: `84502773827640000${index}`,
}));
const pages = 50;
const people = 20;
const sms = 1_000;
const smsPerSecond = 50;
const secondsMax = 120;
const prefix = '+4915112';

export async function measureChannels(report: Report): Promise<void> {
  await using slack = await startFakeSlack();
  await using telegram = await startFakeTelegram();
  await using twilio = await startFakeTwilio();
  await using msteams = await startFakeTeams();
  await using discord = await startFakeDiscord();
  await using whatsapp = await startFakeWhatsAppCloud();
  const urls = {
    slack: slack.url,
    telegram: telegram.url,
    twilio: twilio.url,
    msteams: msteams.url,
    discord: discord.url,
    'whatsapp-cloud': whatsapp.url,
  };
  const named = Object.entries(urls).map(([vendor, url]) => `${vendor}=${url}`);
  await using bench = await startBench({ more: { PAGER_VENDOR_URLS: named.join(',') } });
  await connect(bench, 'telegram', { secrets: { bot_token: telegram.token } });
  await connect(bench, 'slack', {
    secrets: { bot_token: slack.botToken, app_token: slack.appToken },
  });
  await connect(bench, 'twilio', {
    secrets: { auth_token: twilio.authToken },
    settings: {
      account_sid: twilio.account.sid,
      from_phone: twilio.number,
      from_sms: twilio.number,
      allowed_prefixes: [prefix],
      calls_per_second: 100,
      messages_per_second: smsPerSecond,
    },
  });
  for (const room of rooms) {
    slack.addChannel(room.slack);
    discord.addChannel(room.discord);
  }
  const names = Object.fromEntries(rooms.map(({ msteams: id }) => [id, id]));
  msteams.addTeam('19:team@thread.tacv2', 'Ops', names);
  await connect(bench, 'msteams', {
    settings: { app_id: msteams.appId, tenant_id: msteams.tenantId },
    secrets: { client_secret: msteams.clientSecret },
  });
  await connect(bench, 'discord', {
    settings: { application_id: discord.applicationId, public_key: discord.publicKey },
    secrets: { bot_token: discord.botToken },
  });
  await connectWhatsApp(bench, whatsapp);
  await telegram.polled();
  await slack.connected();
  telegram.start(chat);
  const { owner, others } = await addContacts(bench);
  const hook = (targets: readonly object[]) => hookFor(bench, '', { steps: [{ targets }] });
  // WhatsApp takes a message every six seconds to one person: each page goes to another.
  const all = others.map((other, index) => {
    const room = rooms[index % rooms.length];
    return hook([
      { via: 'phone', user_id: owner },
      { via: 'telegram', user_id: owner },
      { via: 'whatsapp', user_id: other },
      { via: 'slack', channel_id: room?.slack },
      { via: 'msteams', channel_id: room?.msteams },
      { via: 'discord', channel_id: room?.discord },
    ]);
  });
  const paths = {
    all: await Promise.all(all),
    telegram: await hook([{ via: 'telegram', user_id: owner }]),
    sms: await hook(others.map((user_id) => ({ via: 'sms', user_id }))),
  };
  const title = newTitles(0);
  const world: World = { bench, slack, telegram, twilio, msteams, discord, whatsapp, title };
  await measureAnswers(world, paths.all, report);
  await measureStorm(world, paths, report);
}

type World = {
  readonly bench: Bench;
  readonly slack: FakeSlack;
  readonly telegram: FakeTelegram;
  readonly twilio: FakeTwilio;
  readonly msteams: FakeTeams;
  readonly discord: FakeDiscord;
  readonly whatsapp: FakeWhatsAppCloud;
  readonly title: () => string;
};

async function measureAnswers(
  world: World,
  paths: readonly string[],
  report: Report,
): Promise<void> {
  const { bench, slack, telegram, twilio, msteams, discord, whatsapp, title } = world;
  const called: number[] = [];
  const written: number[] = [];
  const posted: number[] = [];
  const inTeams: number[] = [];
  const inDiscord: number[] = [];
  const inWhatsApp: number[] = [];
  const shown: number[] = [];
  const hungUp: number[] = [];
  for (let page = 0; page < pages; page += 1) {
    const name = title();
    const since = stopwatch();
    await send(bench, paths[page % paths.length] ?? '', name);
    const [call, message, post, card, embed] = await Promise.all([
      once(() => twilio.calls.find(({ twiml }) => twiml.includes(name)), since, called),
      once(() => telegram.messages.find(({ text }) => text.includes(name)), since, written),
      once(() => slack.messages.find((one) => one.shown.includes(name)), since, posted),
      once(() => msteams.messages.find((one) => one.shown.includes(name)), since, inTeams),
      once(() => discord.messages.find((one) => one.shown.includes(name)), since, inDiscord),
      once(() => whatsapp.messages.find((one) => one.text.includes(name)), since, inWhatsApp),
    ]);
    await twilio.ring(call.sid);
    const sincePress = stopwatch();
    telegram.press(message.messageId, 'Acknowledge');
    await Promise.all([
      once(() => [message, post, card, embed].every(({ edits }) => edits > 0), sincePress, shown),
      once(() => call.status !== 'ringing', sincePress, hungUp),
    ]);
  }
  report('event sent to its call handed over', quantilesOf(called), 'one after the other');
  report('event sent to its message in Telegram', quantilesOf(written));
  report('event sent to its post in Slack', quantilesOf(posted));
  report('event sent to its card in Teams', quantilesOf(inTeams));
  report('event sent to its message in Discord', quantilesOf(inDiscord));
  report('event sent to its message in WhatsApp', quantilesOf(inWhatsApp));
  report('press of Acknowledge to all four messages that show it', quantilesOf(shown));
  report('press of Acknowledge to the telephone that stops', quantilesOf(hungUp));
}

type Paths = Readonly<Record<'sms' | 'telegram', string>>;

/** Many SMS that wait for their turn, and the pages of Telegram beside them. */
async function measureStorm(world: World, paths: Paths, report: Report): Promise<void> {
  const { bench, telegram, twilio, title } = world;
  const beside: number[] = [];
  const since = stopwatch();
  for (let sent = 0; sent < sms / people; sent += 1) await send(bench, paths.sms, title());
  while (twilio.messages.length < sms) {
    const name = title();
    const sincePage = stopwatch();
    await send(bench, paths.telegram, name);
    await once(() => telegram.messages.find(({ text }) => text.includes(name)), sincePage, beside);
    if (since() > secondsMax * 1_000) throw new Error('not all SMS were sent in time');
  }
  const took = since() / 1_000;
  const least = `${(sms / smsPerSecond).toFixed(1)} s at least`;
  report(`${sms} SMS, ${smsPerSecond} a second`, `${took.toFixed(1)} s`, least);
  report('event sent to its message in Telegram meanwhile', quantilesOf(beside));
}

async function connectWhatsApp(bench: Bench, { account }: FakeWhatsAppCloud): Promise<void> {
  const { phone_number_id, business_account_id, access_token } = account;
  await connect(bench, 'whatsapp-cloud', {
    settings: {
      phone_number_id,
      business_account_id,
      template: 'pager_page',
      language: 'en',
      allowed_prefixes: [prefix],
    },
    secrets: { access_token, app_secret: 'a'.repeat(32), verify_token: 'our-own-verify-token' },
  });
}

const connect = (bench: Bench, vendor: string, fields: object) =>
  bench.api('POST /channel-connections', { name: vendor, vendor, ...fields });

async function send(bench: Bench, path: string, name: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ title: `${name}.` });
  await fetch(`http://127.0.0.1:${bench.port}${path}`, { method: 'POST', headers, body });
}

/** The owner can be called and has linked a chat; others get SMS and WhatsApp. Answers the ids of all. */
async function addContacts(bench: Bench) {
  const { data } = await bench.api('GET /users');
  const [{ id: owner }] = data as [{ id: string }];
  const others: string[] = [];
  for (let index = 0; index < people; index += 1) {
    const name = { first_name: `Person ${index}`, last_name: 'Example' };
    const email = `person-${index}@example.test`;
    const { id } = await bench.api('POST /users', { ...name, email, role: 'responder' });
    others.push(String(id));
  }
  const sql = connectTo(bench);
  const add = (user: string, id: string, channel: string, address: string) => sql`
    insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
    select organization_id, ${id.padStart(24, '0')}, id, ${channel}, ${address}, now(), now()
    from users where id = ${user}`;
  await add(owner, 'a', 'telegram', chat);
  await add(owner, 'b', 'phone', `${prefix}345678`);
  for (const [index, user] of others.entries()) {
    await add(user, `c${index}`, 'sms', `${prefix}${1_000_000 + index}`);
    await add(user, `d${index}`, 'whatsapp', `${prefix}${2_000_000 + index}`);
  }
  await sql.end();
  return { owner, others };
}

/** Milliseconds since now. */
function stopwatch(): () => number {
  const begins = performance.now();
  return () => performance.now() - begins;
}

/** Asks until there is an answer, and notes when that was. */
async function once<T>(
  read: () => T | undefined | false,
  since: () => number,
  measured: number[],
): Promise<T> {
  for (;;) {
    const value = read();
    if (value !== undefined && value !== false) {
      measured.push(since());
      return value;
    }
    if (since() > secondsMax * 1_000) throw new Error('a vendor was not called in time');
    await turn();
  }
}

function quantilesOf(measured: readonly number[]): string {
  const sorted = measured.toSorted((one, other) => one - other);
  return times({ p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) });
}
