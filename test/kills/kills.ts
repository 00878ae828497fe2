// A server that is killed again and again while calls, chats and mails are under way, and what must be true
// afterwards: every accepted event is paged, copies are few, messages follow their incidents.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { silentLog } from '../../src/engine/log.ts';
import { type ChannelName, channels } from '../../src/resources/channels.ts';
import { openDatabase, type Sql } from '../../src/storage/database/database.ts';
import { canaryId } from '../../src/storage/health/canary.ts';
import { type TestServer, testDatabase } from '../database.ts';
import { Luck } from '../simulation/luck.ts';
import { type Api, postJson } from '../system/api-client.ts';
import { eventually as eventuallyWithin } from '../system/eventually.ts';
import { type EveryVendor, settingsFor, startEveryVendor } from '../system/every-vendor.ts';
import {
  addPeople,
  type Copy,
  codeOf,
  people,
  recipients,
  targetOf,
} from '../system/recipients.ts';
import { createInstallation, type Installation, killIfThere } from '../system/server-process.ts';
import { checkGroups, type GroupsReport } from './group-invariants.ts';
import { GroupLoad } from './groups.ts';
import { startSlowRelay } from './slow-relay.ts';

const names = Object.keys(channels) as ChannelName[];
/** Answers of vendors take up to this long, and mails always do. */
const ANSWER_MILLISECONDS_MAX = 400;
/** A server lives up to this long before it is killed; some are killed while they start. */
const LIFE_MILLISECONDS_MAX = 3_000;
const KILLED_IN_START = 1 / 6;
/** People answer where they were paged; the others in the dashboard. */
const ANSWERED_THERE = 2 / 3;
/** Leases of killed servers end one after the other, and the machine may be busy with other tests. */
const WITHIN_MILLISECONDS = 300_000;
const POLL_MILLISECONDS = 10;
const AGAIN_MILLISECONDS = 100;
/** After that, whoever pressed looks elsewhere. */
const PRESS_MILLISECONDS = 3_000;

export type KillsReport = {
  readonly kills: number;
  /** Sends that a kill cut off: nobody knew whether they arrived. */
  readonly cutOff: number;
  readonly channels: Readonly<Record<string, ChannelReport>>;
  readonly groups: GroupsReport;
};
export type ChannelReport = {
  pages: number;
  copies: number;
  /** Copies that showed the acknowledgement only once somebody had pressed a button of them. */
  pressed: number;
  longestMs: number;
};

const eventually = <T>(what: string, probe: Parameters<typeof eventuallyWithin<T>>[1]) =>
  eventuallyWithin(what, probe, WITHIN_MILLISECONDS);

type Options = { readonly seed: number; readonly kills: number; readonly postgres: TestServer };

/** An event that was accepted. */
type Event = { readonly code: string; readonly channel: ChannelName; readonly incident: number };

export async function runKills({ seed, kills, postgres }: Options): Promise<KillsReport> {
  const luck = new Luck(seed);
  await using stack = new AsyncDisposableStack();
  const vendors = stack.use(await startEveryVendor({ mailMilliseconds: ANSWER_MILLISECONDS_MAX }));
  const urls: Record<string, string> = {};
  for (const [vendor, url] of Object.entries(vendors.urls)) {
    // Teams names its own address in what it sends, so it is called there.
    if (vendor === 'msteams') urls[vendor] = url;
    else {
      const delay = () => luck.below(ANSWER_MILLISECONDS_MAX);
      urls[vendor] = stack.use(await startSlowRelay(url, delay)).url;
    }
  }
  const database = stack.use(await testDatabase({ server: postgres }));
  const installation = stack.use(
    await createInstallation({
      ...settingsFor({ ...vendors, urls: urls as EveryVendor['urls'] }),
      PAGER_DATABASE_URL: database.url,
    }),
  );
  const server = await installation.start();
  const opened = stack.use(await openDatabase({ url: database.url, log: silentLog }));
  const { hooks, userId } = await prepare(vendors, server.api, server.url, opened.sql);
  const load = new Load(vendors, server.api, hooks, luck);
  const grouped = await addGrouping(server.api, userId);
  const { url: origin, apiKey } = server;
  const groups = new GroupLoad({ ...grouped, apiUrl: `${origin}/api/v1`, apiKey }, luck);
  const killing = killAgainAndAgain(installation, { first: server.pid, kills, luck });
  const stop = () => {
    load.stop();
    groups.stop();
  };
  // All of them end before anything is taken away from below them.
  const ended = await Promise.allSettled([load.run(), groups.run(), killing.finally(stop)]);
  try {
    for (const each of ended) if (each.status === 'rejected') throw each.reason;
    const { sql } = opened;
    const report = await settle({ vendors, installation, sql, load, kills });
    const { mails } = vendors.mail;
    return { ...report, groups: await checkGroups({ ...grouped, sql, mails, load: groups }) };
  } catch (cause) {
    throw new Error(await openNotices(opened.sql), { cause });
  }
}

/** A policy for each channel; answers the address of its integration by channel. */
async function prepare(vendors: EveryVendor, api: Api, url: string, sql: Sql) {
  await vendors.connect(api, url);
  const userId = await addPeople(vendors, api, sql);
  const { twilio } = vendors;
  twilio.setHabit(people.number, { type: 'presses', keys: ['4'] });
  twilio.setHabit(people.texted, { type: 'receives' });
  const address = `ntfy:${people.topic}`;
  await api.create(`users/${userId}/contacts`, { channel: 'push-notification', address });
  await sql`update contacts set verified_at = now()`;
  const [service] = await api.list('services');
  const hooks = new Map<ChannelName, string>();
  for (const via of names) {
    const steps = [{ targets: [targetOf(via, userId)] }];
    const policy = await api.create('escalation-policies', { name: via, steps });
    const integration = await api.create('integrations', {
      slug: 'webhook',
      service_id: service.id,
      escalation_policy_id: policy.id,
    });
    hooks.set(via, integration.webhook_url);
  }
  return { hooks, userId };
}

/** An Alertmanager whose groups page by mail. A step is left, so that only what is worse pages again. */
async function addGrouping(api: Api, userId: string) {
  const targets = [targetOf('email', userId)];
  const policy = await api.create('escalation-policies', {
    name: 'Groups',
    steps: [{ targets, escalate_after_minutes: 600 }, { targets }],
  });
  const [service] = await api.list('services');
  const { id: integrationId, webhook_url: url } = await api.create('integrations', {
    slug: 'alertmanager',
    service_id: service.id,
    escalation_policy_id: policy.id,
    grouping: { by: ['group'] },
  });
  return { integrationId, url };
}

type Killing = { readonly first: number; readonly kills: number; readonly luck: Luck };

async function killAgainAndAgain(installation: Installation, { first, kills, luck }: Killing) {
  await pause(luck.below(LIFE_MILLISECONDS_MAX));
  killIfThere(first, 'SIGKILL');
  for (let kill = 1; kill < kills; kill += 1) {
    const isInStart = luck.chance(KILLED_IN_START);
    const { pid, ended } = isInStart ? installation.launch() : await installation.start();
    await pause(luck.below(LIFE_MILLISECONDS_MAX));
    killIfThere(pid, 'SIGKILL');
    await ended;
  }
  await installation.start();
}

/** Sends events and answers pages, one after the other for each channel. */
class Load {
  readonly events: Event[] = [];
  readonly delays = new Map<string, number>();
  readonly #vendors: EveryVendor;
  readonly #api: Api;
  readonly #hooks: ReadonlyMap<ChannelName, string>;
  readonly #luck: Luck;
  #isStopped = false;
  #last = 0;

  constructor(vendors: EveryVendor, api: Api, hooks: ReadonlyMap<ChannelName, string>, luck: Luck) {
    this.#vendors = vendors;
    this.#api = api;
    this.#hooks = hooks;
    this.#luck = luck;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async run(): Promise<void> {
    const running = names.map((channel) => this.#runChannel(channel));
    for (const each of await Promise.allSettled(running))
      if (each.status === 'rejected') throw each.reason;
  }

  copiesOf({ channel, code }: Pick<Event, 'channel' | 'code'>): readonly Copy[] {
    return recipients[channel].copies(this.#vendors).filter(({ text }) => text.includes(code));
  }

  async #runChannel(channel: ChannelName): Promise<void> {
    const { every } = recipients[channel];
    while (!this.#isStopped) {
      const begins = performance.now();
      const event = await this.#send(channel);
      if (event !== null) await this.#answer(event);
      const left = event === null ? AGAIN_MILLISECONDS : every - (performance.now() - begins);
      const until = performance.now() + left;
      while (!this.#isStopped && performance.now() < until) await pause(POLL_MILLISECONDS);
    }
  }

  /** Null: nobody accepted it, so that nothing was promised. */
  async #send(channel: ChannelName): Promise<Event | null> {
    this.#last += 1;
    const code = codeOf(this.#last);
    const hook = this.#hooks.get(channel) ?? '';
    const answer = await postJson(hook, { title: `Disk ${code} full`, dedup_key: code }).catch(
      () => null,
    );
    if (answer === null || answer.status === 503 || answer.status === 429) return null;
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    const incident = answer.body.alerts[0]?.incident;
    const event = { code, channel, incident: incident ?? (await this.#numberOf(code)) };
    this.events.push(event);
    return event;
  }

  async #numberOf(code: string): Promise<number> {
    return this.#untilTrue(`the incident of ${code}`, async () => {
      const all = await this.#api.list('incidents');
      return all.find(({ title }: { title: string }) => title.includes(code))?.number;
    });
  }

  async #answer(event: Event): Promise<void> {
    const since = performance.now();
    const [page] = await this.#untilTrue(`the page of ${event.code} by ${event.channel}`, () => {
      const copies = this.copiesOf(event);
      return copies.length > 0 ? copies : undefined;
    });
    this.delays.set(event.code, performance.now() - since);
    const { report, press } = page ?? {};
    if (report)
      await this.#untilTrue('Pager takes a receipt', async () => (await report()) === 200);
    if (press && this.#luck.chance(ANSWERED_THERE) && (await this.#pressed(event, press))) return;
    await this.#untilTrue(`INC-${event.incident} is acknowledged`, async () => {
      const path = `POST /incidents/${event.incident}/acknowledge`;
      const { status } = await this.#api.send(path, {});
      return status === 200 || (await this.#isAcknowledged(event));
    });
  }

  /** Whether that acknowledged it. */
  async #pressed(event: Event, press: () => unknown): Promise<boolean> {
    const until = performance.now() + PRESS_MILLISECONDS;
    try {
      await press();
      while (performance.now() < until) {
        if (await this.#isAcknowledged(event)) return true;
        await pause(AGAIN_MILLISECONDS);
      }
    } catch {
      // The server is away.
    }
    return false;
  }

  async #isAcknowledged({ incident }: Event): Promise<boolean> {
    const { body } = await this.#api.send(`GET /incidents/${incident}`);
    return body.status === 'acknowledged';
  }

  /** Whatever fails while there is no server is tried again. */
  #untilTrue<T>(
    what: string,
    probe: () => Promise<T | undefined | false> | T | undefined | false,
  ): Promise<T> {
    return eventually(what, async () => {
      try {
        return await probe();
      } catch {
        return false;
      }
    });
  }
}

type Ending = {
  readonly vendors: EveryVendor;
  readonly installation: Installation;
  readonly sql: Sql;
  readonly load: Load;
  readonly kills: number;
};

const shown = /Acknowledged by .+, \d\d:\d\d/;

/** Waits for all that is due, and checks what was promised. */
async function settle({
  vendors,
  installation,
  sql,
  load,
  kills,
}: Ending): Promise<Omit<KillsReport, 'groups'>> {
  await eventually('everything that is due is sent', async () => {
    await reportAll(vendors);
    const left = await sql`
      (select key from outbox where state = 'pending' and wake_at < now() + interval '2 seconds' limit 1)
      union all
      (select key from posted where wake_at < now() + interval '2 seconds' limit 1)`;
    return left.length === 0;
  });
  const report: Record<string, ChannelReport> = {};
  for (const channel of names) report[channel] = { pages: 0, copies: 0, pressed: 0, longestMs: 0 };
  const tries = await triesOf(sql);
  for (const event of load.events) {
    const line = report[event.channel];
    const { delivered = 0, cutOff = 0 } = tries.get(event.incident) ?? {};
    const arrived = load.copiesOf(event).length;
    // Somebody may have answered a page before the next server learned that it had been sent.
    const copies = arrived - Math.max(delivered, 1);
    const what = `${event.channel}, INC-${event.incident} (${event.code})`;
    assert.ok(line && arrived > 0, `${what} is paged`);
    assert.ok(arrived >= delivered, `${what}: what is recorded as sent has arrived`);
    assert.ok(copies <= cutOff, `${what}: ${copies} copies, but ${cutOff} sends were cut off`);
    if (recipients[event.channel].once !== null) assert.equal(copies, 0, `${what} arrives once`);
    line.pages += 1;
    line.copies += copies;
    line.longestMs = Math.max(line.longestMs, load.delays.get(event.code) ?? 0);
    if (recipients[event.channel].edits)
      line.pressed += await followed(load, { event, what, known: delivered });
  }
  for (const [channel, { copies }] of Object.entries(report))
    assert.ok(copies <= kills, `${channel}: ${copies} copies after ${kills} kills`);
  const { code, output } = await installation.audit();
  assert.equal(code, 0, output);
  const cutOff = [...tries.values()].reduce((sum, each) => sum + each.cutOff, 0);
  return { kills, cutOff, channels: report };
}

/** A connection that the last kill broke fails the next request on it. */
async function reportAll(vendors: EveryVendor): Promise<void> {
  for (const { report } of recipients.whatsapp.copies(vendors)) await report?.().catch(() => 0);
}

/** What explains a page that did not arrive, or arrived again: all tries but of what one try has sent. */
async function openNotices(sql: Sql): Promise<string> {
  const rows = await sql`
    select * from (
      select i.number as incident, o.kind, o.channel, o.key, o.state, o.reason, o.wake_at, now(),
        a.number, a.claimed_at, a.finished_at, a.outcome, a.vendor_id, a.reason as ended,
        count(*) over (partition by o.incident_id, o.kind) as tries
      from outbox o
      left join attempts a on a.organization_id = o.organization_id and a.key = o.key
      left join incidents i on i.organization_id = o.organization_id and i.id = o.incident_id
      order by o.sequence, a.number) each
    where state <> 'sent' or tries > 1`;
  return `notices that took more than one try:\n${rows.map((row) => JSON.stringify(row)).join('\n')}`;
}

/** By number of an incident: how often its page was confirmed, and how often a kill cut it off. */
async function triesOf(sql: Sql) {
  const rows = await sql<{ number: number; delivered: number; cut_off: number }[]>`
    select i.number,
      -- After a kill the next attempt may only learn that the one before has arrived.
      (case when count(a.vendor_id) > 0 then count(distinct a.vendor_id)
        else count(*) filter (where a.outcome = 'delivered') end)::integer as delivered,
      count(*) filter (where a.outcome is null)::integer as cut_off
    from attempts a
    join outbox o on o.organization_id = a.organization_id and o.key = a.key
    join incidents i on i.organization_id = o.organization_id and i.id = o.incident_id
    -- Each server pages nobody every minute, as a check; those incidents have numbers of their own.
    where o.kind = 'page' and o.organization_id <> ${canaryId}
    group by i.number`;
  return new Map(
    rows.map(({ number, delivered, cut_off }) => [number, { delivered, cutOff: cut_off }]),
  );
}

type Following = { readonly event: Event; readonly what: string; readonly known: number };

/** Messages that are recorded show the acknowledgement by themselves, and copies once they are pressed. */
async function followed(load: Load, { event, what, known }: Following): Promise<number> {
  const all = load.copiesOf(event).length;
  const stale = () => load.copiesOf(event).filter(({ text }) => !shown.test(text));
  await eventually(`${what}: what is recorded follows`, () => stale().length <= all - known);
  if (recipients[event.channel].edits === 'recorded') return 0;
  const left = stale();
  for (const { press } of left) await press?.();
  await eventually(`${what}: copies follow once they are pressed`, () => stale().length === 0);
  return left.length;
}
