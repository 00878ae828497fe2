// Stories: the engine on a real database and a clock that stands still until it is told to move.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { typeOf } from '../../src/api/events/stored-events.ts';
import { type Action, type ActionResult, act } from '../../src/engine/actions.ts';
import { canaryChannel } from '../../src/engine/canary.ts';
import type { Clock } from '../../src/engine/clock.ts';
import type { Fault, Faults } from '../../src/engine/faults.ts';
import { createIds } from '../../src/engine/ids.ts';
import { runDueIncidents } from '../../src/engine/incident-timers.ts';
import type { full, IntakeAnswer } from '../../src/engine/intake/answer.ts';
import { decideBacklog } from '../../src/engine/intake/backlog.ts';
import { Intake, type IntakeOptions } from '../../src/engine/intake/intake.ts';
import { silentLog } from '../../src/engine/log.ts';
import type {
  Delivery,
  NoticeChannel,
  ReportedDelivery,
} from '../../src/engine/sending/channel.ts';
import { Dispatcher } from '../../src/engine/sending/dispatch.ts';
import { contentOf } from '../../src/engine/sending/webhook-call.ts';
import { notifyOfTeamStorms } from '../../src/engine/storms.ts';
import type { Actor } from '../../src/incidents/incident.ts';
import { type Notice, wordsOf } from '../../src/notices/notice.ts';
import { compose } from '../../src/notices/queued.ts';
import { ConfigurationCache } from '../../src/storage/configuration/cache.ts';
import type { Sql } from '../../src/storage/database/database.ts';
import { createLedger } from '../../src/storage/ledger/ledger.ts';
import { auditLedger, type Finding } from '../../src/storage/ledger-audit/audit.ts';
import { anyDatabase, testDatabase } from '../database.ts';
import { eventReader as reader, reading } from '../event-reader.ts';
import {
  type Integration,
  type IntegrationFields,
  type RuleFields,
  type SeededPlaybookFields,
  seedIntegration,
  seedOverride,
  seedPlaybook,
  seedRule,
  seedSchedule,
  seedWebhook,
} from '../monitoring.ts';
import { buildSecrets } from '../secrets.ts';
import { seedOrganization, type World } from '../world.ts';

/** The stranger is nobody who could be paged. */
const people = ['ada', 'lin', 'eve', 'boss', 'stranger'] as const;
const eve: Actor = { type: 'user', id: 'eve', name: 'Eve', via: 'api' };

// Asked for here, so that it lives as long as this process and not as long as the first story.
const server = await anyDatabase();

type Server = {
  readonly ledger: ReturnType<typeof createLedger>;
  readonly configurations: ConfigurationCache;
  readonly intake: Intake;
  readonly dispatcher: Dispatcher;
};

/** Tells a story that leaves a sound ledger. */
export function story(title: string, run: (pager: Pager) => Promise<void>): void {
  test(title, () =>
    withPager(async (pager) => {
      await run(pager);
      assert.deepEqual(await pager.findings(), []);
    }),
  );
}

/** On a database of its own; its clock begins at 09:00 on a Monday. */
export async function withPager(run: (pager: Pager) => Promise<void>): Promise<void> {
  await using database = await testDatabase({ server, maxConnections: 6 });
  const pager = new Pager(database.sql);
  await pager.open();
  await run(pager);
}

export class Pager {
  readonly sql: Sql;
  readonly secrets = buildSecrets(randomBytes(32).toString('hex'));
  readonly servers: Server[] = [];
  /** What failed alone. */
  readonly failed: Fault['of'][] = [];
  readonly faults: Faults = ({ of }) => this.failed.push(of);
  /** What an address answers when it does not take what is sent. */
  readonly answers = new Map<string, Delivery | 'never'>();
  /** What one of a vendor answers that reports later. */
  readonly vendorAnswers = new Map<string, ReportedDelivery>();
  /** What was delivered by e-mail. */
  readonly notices: Notice[] = [];
  users: World['users'] = {};
  /** How many notices each claim may take. */
  inFlightMax = 128;
  #now = Temporal.Instant.from('2026-03-02T09:00:00Z');
  #world: World | null = null;
  #heard: string[] = [];
  readonly clock: Clock = { now: () => this.#now };

  constructor(sql: Sql) {
    this.sql = sql;
  }

  async open(): Promise<void> {
    this.#world = await seedOrganization(this.sql, {
      teams: ['ops', 'core'],
      users: people.map((name) => ({
        name,
        role: name === 'boss' ? 'admin' : 'responder',
        active: name !== 'stranger',
      })),
      clock: this.clock,
    });
    this.users = this.#world.users;
    this.serve();
  }

  get scope() {
    return this.placeOf('ops');
  }

  /** Of the other team, `core`, or of the one that all else is of. */
  placeOf(team: 'ops' | 'core') {
    const { organizationId = '', teams = {} } = this.#world ?? {};
    return { organizationId, teamId: teams[team] ?? '', now: this.#now };
  }

  integration(fields: IntegrationFields, scope = this.scope): Promise<Integration> {
    return seedIntegration(this.sql, scope, fields);
  }

  /** A rule of the team; answers its id. */
  rule(fields: RuleFields): Promise<string> {
    return seedRule(this.sql, this.scope, fields);
  }

  /** A playbook of the team; answers its id. */
  playbook(fields: SeededPlaybookFields, scope = this.scope): Promise<string> {
    return seedPlaybook(this.sql, scope, fields);
  }

  /** An outbound webhook of the team; answers its id. */
  webhook(url: string): Promise<string> {
    return seedWebhook(this.sql, this.scope, { secrets: this.secrets, url });
  }

  schedule(users: readonly (string | null)[]): Promise<string> {
    return seedSchedule(this.sql, this.scope, users);
  }

  /** Somebody is on call instead, from one hour of this day to another. */
  async standIn(scheduleId: string, name: string, hours: { from: string; to: string }) {
    const [start, end] = [this.#today(hours.from), this.#today(hours.to)];
    const userId = this.users[name] ?? name;
    await seedOverride(this.sql, this.scope, { scheduleId, userId, start, end });
  }

  step(name: string, escalate_after_minutes?: number) {
    const targets = [{ via: 'email' as const, user_id: this.users[name] ?? name }];
    return { targets, ...(escalate_after_minutes !== undefined && { escalate_after_minutes }) };
  }

  /** One more server process on the same database; `reading`: mails too. */
  serve({
    typeOf: type = typeOf,
    ...others
  }: Partial<Pick<IntakeOptions, 'typeOf' | 'reader' | 'decideUpTo'>> = {}): Server {
    const { clock, sql, secrets, faults } = this;
    const log = silentLog;
    const ids = createIds(clock);
    const configurations = new ConfigurationCache(new Set(['email', 'canary']), faults);
    const ledger = createLedger({ sql, ids, secrets, configurations, faults });
    const shared = { ledger, clock, log, faults };
    const server: Server = {
      ledger,
      configurations,
      intake: new Intake({
        ...shared,
        ids,
        reader,
        ...others,
        typeOf: type,
        committed: () => {},
        ruled() {},
      }),
      dispatcher: new Dispatcher({
        ...shared,
        random: () => 0,
        inFlightMax: this.inFlightMax,
        committed() {},
        attempted() {},
        channels: new Map<string, NoticeChannel>([
          ['email', { send: (notice, address) => this.#send(notice, address) }],
          ['canary', canaryChannel],
        ]),
        handleOf: () => '',
        compose: (claimed) =>
          compose(claimed, {
            publicUrl: 'https://pager.test',
            linkFor: (_claimed, action) => `https://pager.test/act/${action}`,
            handleFor: (_incident, action) => action,
          }),
        webhooks: { send: async (_call, url) => this.#called(url) },
        contentOf: (call) => contentOf(call, 'https://pager.test'),
      }),
    };
    this.servers.push(server);
    return server;
  }

  async #send(notice: Notice, to: string): Promise<ReportedDelivery> {
    const [name = ''] = to.split('@');
    const answer = this.vendorAnswers.get(name) ?? this.answers.get(name);
    if (answer === 'never') return new Promise(() => {});
    if (answer) return answer;
    this.notices.push(notice);
    const { title, facts } = wordsOf(notice);
    const also = facts.find((fact) => fact.name === 'Also');
    const what = also ? `${title}, also ${also.value}` : title;
    this.#heard.push(`${this.#hour()} ${name}: ${notice.kind} ${what}`);
    return { outcome: 'delivered' };
  }

  #called(url: string): Delivery {
    const answer = this.answers.get(url);
    if (answer && answer !== 'never') return answer;
    return { outcome: 'failed', reason: 'no webhook is there' };
  }

  #hour = () => this.#now.toString().slice(11, 16);

  /** Monitoring says something, to some server. */
  async trigger(on: Integration, body: object, server = this.servers[0]): Promise<IntakeReply> {
    if (!server) throw new Error('no server is running');
    const answer = await server.intake.receive({
      organizationId: this.scope.organizationId,
      integrationId: on.id,
      slug: on.slug,
      integrationName: 'Checks',
      source: 'http',
      path: '/push-events',
      contentType: 'application/json',
      body: new TextEncoder().encode(JSON.stringify(body)),
    });
    return answer;
  }

  /** Lets the time pass, minute by minute of what is due, and does all that falls due. */
  async at(hour: string): Promise<void> {
    const target = this.#today(hour);
    await this.work();
    for (let next = await this.#next(); next && !isAfter(next, target); next = await this.#next()) {
      // What is due and waits for something else is looked at again in a second.
      const soon = this.#now.add({ seconds: 1 });
      this.#now = isAfter(next, this.#now) ? next : isAfter(soon, target) ? target : soon;
      await this.work();
      if (this.#now.equals(target)) break;
    }
    this.#now = target;
    await this.work();
  }

  #today(hour: string): Temporal.Instant {
    return Temporal.PlainDateTime.from(`${this.#now.toString().slice(0, 11)}${hour}`)
      .toZonedDateTime('UTC')
      .toInstant();
  }

  /** The clock goes on and nobody works: the engine is away. */
  awayUntil(hour: string): void {
    this.#now = this.#today(hour);
  }

  /** Until nothing is due, or what is due waits for something else. */
  async work(): Promise<void> {
    for (let did = 1; did > 0; ) {
      const next = await this.#next();
      if (next === null || isAfter(next, this.#now)) return;
      did = 0;
      for (const server of this.servers) did += await this.workOn(server);
    }
  }

  /** One round of one server's loops; answers how much it did. */
  async workOn({ ledger, dispatcher }: Server): Promise<number> {
    const { clock, faults } = this;
    const backlog = { ledger, clock, faults, ids: createIds(clock), typeOf, ...reading };
    const decided = await decideBacklog({ ...backlog, log: silentLog, ruled() {} });
    const ran = await runDueIncidents(ledger, clock, faults);
    const notified = await notifyOfTeamStorms(ledger, clock);
    const claimed = await dispatcher.claim();
    if (![...this.answers.values()].includes('never')) await dispatcher.idle();
    return decided + ran + notified + claimed;
  }

  async #next(): Promise<Temporal.Instant | null> {
    const [server] = this.servers;
    const next = [
      await server?.ledger.nextIncident(),
      await server?.ledger.nextNotice(),
      await server?.ledger.nextStorms(),
    ];
    return next.filter((one) => !!one).sort(Temporal.Instant.compare)[0] ?? null;
  }

  /** Whoever was told something since this was last asked, in order. */
  heard(): string[] {
    return this.#heard.splice(0).sort();
  }

  async does(
    number: number,
    action: { readonly type: string } & Record<string, unknown>,
  ): Promise<ActionResult> {
    const { ledger } = this.servers[0] ?? this.serve();
    const { organizationId } = this.scope;
    const acting = { ledger, clock: this.clock, committed: () => {} };
    const on = { organizationId, id: await this.idOf(number) };
    // Stories name actions by their type; `by` is always the same person.
    const done = { ...action, by: eve } as Action;
    return act(acting, on, { action: done, mayTouch: () => true });
  }

  async idOf(number: number): Promise<string> {
    const [row] = await this.sql<
      { id: string }[]
    >`select id from incidents where number = ${number}`;
    if (!row) throw new Error(`there is no INC-${number}`);
    return row.id;
  }

  /** Statuses of all incidents, by number. */
  async incidents(): Promise<string[]> {
    const rows = await this.sql<{ number: number; status: string }[]>`
      select number, status from incidents order by number`;
    return rows.map(({ number, status }) => `${number} ${status}`);
  }

  /** What the audit has against the ledger. */
  async findings(): Promise<Finding[]> {
    const findings: Finding[] = [];
    await auditLedger(this, (finding) => findings.push(finding));
    return findings;
  }

  async timeline(number: number): Promise<string[]> {
    const rows = await this.sql<{ type: string }[]>`
      select type from timeline where incident_id = ${await this.idOf(number)} order by sequence`;
    return rows.map((row) => row.type);
  }
}

type IntakeReply = IntakeAnswer | typeof full;

const isAfter = (a: Temporal.Instant, b: Temporal.Instant) => Temporal.Instant.compare(a, b) > 0;
