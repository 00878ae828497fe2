// One organisation with one integration, the same in memory and on PostgreSQL.

import { randomBytes } from 'node:crypto';
import { systemClock } from '../../src/engine/clock.ts';
import { createIds } from '../../src/engine/ids.ts';
import type { Ledger, Tx } from '../../src/engine/ledger.ts';
import type { Changes } from '../../src/engine/ports/changes.ts';
import type { StoredEvent } from '../../src/engine/ports/events.ts';
import type { Key } from '../../src/engine/ports/keys.ts';
import {
  type Configuration,
  type Person,
  personIn,
  type RoutedIntegration,
} from '../../src/incidents/configuration.ts';
import type { Incident, Intent } from '../../src/incidents/incident.ts';
import type { History } from '../../src/oncall/revisions/history.ts';
import type { Step } from '../../src/resources/escalation-policy.ts';
import type { AnnouncedSchedule } from '../../src/shifts/announce.ts';
import type { Sql } from '../../src/storage/database/database.ts';
import type { LedgerParts } from '../../src/storage/ledger/context.ts';
import { createLedger } from '../../src/storage/ledger/ledger.ts';
import { buildConfiguration, buildPerson, buildRota, cacheFor } from '../configuration.ts';
import { dailyTurns } from '../daily-turns.ts';
import { type TestServer, testDatabase } from '../database.ts';
import { pushed } from '../http-event.ts';
import { buildIntegration, later, noon, opened } from '../incident-life.ts';
import { seedIntegration, seedOverride, seedSchedule } from '../monitoring.ts';
import { noFaults as faults } from '../no-faults.ts';
import { overridden } from '../schedule-history.ts';
import { buildSecrets } from '../secrets.ts';
import { FragileLedger } from '../simulation/fragile-ledger.ts';
import { editSchedule } from '../simulation/shift-cursors.ts';
import { seedOrganization } from '../world.ts';

const ids = createIds(systemClock);

/** What is in the organisation, by its ids. */
type SeededIds = {
  readonly organizationId: string;
  readonly integrationId: string;
  readonly serviceId: string;
  readonly policyId: string;
  readonly teamId: string;
  readonly scheduleId: string;
  /** By it boss stands in, an hour from noon. */
  readonly overrideId: string;
  readonly ada: string;
  readonly boss: string;
};

/** A ledger over that organisation. */
export type LedgerFixture = AsyncDisposable & {
  readonly ledger: Ledger;
  readonly seeded: SeededIds;
  /** Of the organisation, at a vendor; answers its id. */
  addConnection(): Promise<string>;
  /** Ada gets SMS at these numbers from now on, in this order. */
  setNumbers(numbers: readonly string[]): Promise<void>;
  /** The types of all timeline entries. */
  entryTypes(): Promise<readonly string[]>;
  /** Their texts. */
  entryTexts(): Promise<readonly string[]>;
  /** What is stored of an event’s body. */
  bodyOf(id: string): Promise<{ readonly body: string; readonly cut_from: number | null }>;
};
/** On PostgreSQL it can be seen that somebody waits for a lock. */
export type SharedLedgerFixture = LedgerFixture & {
  readonly sql: Sql;
  /** What the ledger is made of. */
  readonly parts: LedgerParts;
  isAnyoneWaiting(): Promise<boolean>;
};

const stepsFor = (ada: string): Step[] => [
  { targets: [{ via: 'email', user_id: ada }], escalate_after_minutes: 5 },
  { targets: [{ via: 'email', user_id: ada }] },
];

const channels = new Set(['email', 'sms']);
const standIn = { start: later(60), end: later(120) };

export async function onPostgres(server: TestServer): Promise<SharedLedgerFixture> {
  const database = await testDatabase({ server, maxConnections: 6 });
  const { sql } = database;
  const world = await seedOrganization(sql, {
    users: [
      { name: 'ada', contacts: { sms: '+491' } },
      { name: 'boss', role: 'admin' },
    ],
  });
  const { organizationId } = world;
  const { ada = '', boss = '' } = world.users;
  // Not verified: nobody is to be reached there.
  const contact = { user_id: ada, channel: 'phone', address: '+492' };
  await sql`insert into contacts ${sql({
    organization_id: organizationId,
    id: ids.next(),
    ...contact,
    verified_at: null,
    created_at: noon,
  })}`;
  const teamId = world.teams['ops'] ?? '';
  const where = { organizationId, teamId, now: noon };
  const on = await seedIntegration(sql, where, { steps: stepsFor(ada), repeats: true });
  const scheduleId = await seedSchedule(sql, where, [ada]);
  const overrideId = await seedOverride(sql, where, { scheduleId, userId: boss, ...standIn });
  const secrets = buildSecrets(randomBytes(32).toString('hex'));
  const parts = { sql, ids, secrets, configurations: cacheFor(...channels), faults };
  return {
    sql,
    parts,
    ledger: createLedger(parts),
    seeded: {
      organizationId,
      teamId,
      ada,
      boss,
      scheduleId,
      overrideId,
      integrationId: on.id,
      serviceId: on.serviceId,
      policyId: on.policyId,
    },
    async addConnection() {
      const id = ids.next();
      await sql`insert into channel_connections ${sql({
        organization_id: organizationId,
        id,
        version: 1,
        name: 'Bot',
        vendor: 'telegram',
        account_id: '1',
        position: 1,
        enabled: true,
        secrets: sql.json({}),
        created_at: noon,
        updated_at: noon,
      })}`;
      return id;
    },
    async setNumbers(numbers) {
      await sql`delete from contacts where user_id = ${ada} and channel = 'sms'`;
      for (const [index, address] of numbers.entries())
        await sql`insert into contacts ${sql({
          organization_id: organizationId,
          id: ids.next(),
          user_id: ada,
          channel: 'sms',
          address,
          position: index + 1,
          verified_at: noon,
          created_at: noon,
        })}`;
    },
    async entryTypes() {
      const rows = await sql<{ type: string }[]>`select type from timeline order by at, id`;
      return rows.map((row) => row.type);
    },
    async entryTexts() {
      const rows = await sql<{ text: string }[]>`
        select text from timeline order by incident_id, sequence`;
      return rows.map((row) => row.text);
    },
    async bodyOf(id) {
      const [row] = await sql<{ body: string; cut_from: number | null }[]>`
        select body, cut_from from events where id = ${id}`;
      return row ?? { body: '', cut_from: null };
    },
    async isAnyoneWaiting() {
      const waiting = await sql`
        select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      return waiting.length > 0;
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

export async function inMemory(): Promise<LedgerFixture> {
  const seeded: SeededIds = {
    organizationId: ids.next(),
    integrationId: ids.next(),
    serviceId: ids.next(),
    policyId: ids.next(),
    teamId: ids.next(),
    scheduleId: ids.next(),
    overrideId: ids.next(),
    ada: ids.next(),
    boss: ids.next(),
  };
  const ledger = new FragileLedger(configurationOf(seeded));
  const edited = { schedule: scheduleOf(seeded), now: noon };
  editSchedule(ledger, edited, () => dailyTurns([seeded.ada], { from: noon }));
  editSchedule(ledger, edited, () => historyOf(seeded));
  return {
    ledger,
    seeded,
    addConnection: async () => ids.next(),
    async setNumbers(numbers) {
      const configuration = ledger.configurationOf(seeded.organizationId);
      const ada = personIn(configuration, seeded.ada);
      const addresses = { ...ada.addresses, sms: numbers };
      const people = new Map(configuration.people).set(ada.id, { ...ada, addresses });
      ledger.declare({ ...configuration, people });
    },
    entryTypes: async () => [...ledger.timeline.values()].map((entry) => entry.type),
    entryTexts: async () => [...ledger.timeline.values()].map((entry) => entry.text),
    async bodyOf(id) {
      const { body, cut_from = null } = ledger.events.get(id)?.event ?? {};
      return { body: new TextDecoder().decode(body), cut_from };
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

export const scheduleOf = (seeded: SeededIds): AnnouncedSchedule => ({
  organization_id: seeded.organizationId,
  id: seeded.scheduleId,
  name: 'Rota',
  timezone: 'Etc/UTC',
});
/** Made, then edited once. */
export const historyOf = ({ ada, boss, overrideId: id }: SeededIds): History =>
  overridden(
    dailyTurns([ada], { from: noon }),
    { edit: 2, at: noon },
    { id, user_id: boss, ...standIn },
  );

/** The integration as deciding is to see it. */
export const receivingIntegrationOf = (seeded: SeededIds): RoutedIntegration => ({
  ...buildIntegration(),
  organization_id: seeded.organizationId,
  integration_id: seeded.integrationId,
  team_id: seeded.teamId,
  repeats: true,
  service: { id: seeded.serviceId, name: 'Shop', archived: false },
  policy: {
    id: seeded.policyId,
    name: 'Ops',
    archived: false,
    delayMinutes: 0,
    steps: stepsFor(seeded.ada),
  },
});

/** All that deciding is to see. */
export function configurationOf(seeded: SeededIds): Configuration {
  const { ada, boss, organizationId, teamId } = seeded;
  const override = { id: seeded.overrideId, user_id: boss, ...standIn };
  const schedule = { ...dailyTurns([ada], { from: noon }), overrides: [override] };
  const person = (id: string, name: string, more: Partial<Person>) => {
    const email = `${name}@${organizationId}.test`;
    const named = { first_name: name, last_name: 'Example', name: `${name} Example`, email };
    return buildPerson(id, { ...named, addresses: { email: [email] }, ...more });
  };
  const sms = { email: [`ada@${organizationId}.test`], sms: ['+491'] };
  return buildConfiguration({
    organization_id: organizationId,
    teamIds: [teamId],
    channels,
    people: [person(ada, 'ada', { addresses: sms }), person(boss, 'boss', { role: 'admin' })],
    integrations: [receivingIntegrationOf(seeded)],
    schedules: [buildRota(seeded.scheduleId, schedule)],
  });
}

export const keyOf = ({ seeded }: LedgerFixture, dedup_key = 'disk'): Key => ({
  organization_id: seeded.organizationId,
  integration_id: seeded.integrationId,
  dedup_key,
});

export function buildIncident(
  { seeded }: LedgerFixture,
  changes: Partial<Omit<Incident, 'escalation'>> & {
    readonly stepAt?: Temporal.Instant | null;
    readonly takenBy?: Temporal.Instant | null;
  } = {},
): Incident {
  const { stepAt, takenBy, ...fields } = changes;
  const { incident } = opened({
    integration: receivingIntegrationOf(seeded),
    configuration: configurationOf(seeded),
  });
  return {
    ...incident,
    id: ids.next(),
    number: 0,
    ...fields,
    escalation: {
      ...incident.escalation,
      ...(stepAt !== undefined && { stepAt }),
      ...(takenBy !== undefined && { takenBy }),
    },
  };
}

export function buildIntent(incident: Incident, changes: Partial<Intent> = {}) {
  return {
    organization_id: incident.organization_id,
    key: `${incident.id}/0/0/email/ada`,
    incident_id: incident.id,
    kind: 'page' as const,
    channel: 'email',
    address: 'ada@example.test',
    user_id: null,
    recipient: 'Ada',
    mention: null,
    why: 'Step 1',
    cycle: 0,
    step: 0,
    rank: 0,
    ...changes,
  };
}

export const buildEvent = ({ seeded }: LedgerFixture, received_at = noon): StoredEvent => ({
  organization_id: seeded.organizationId,
  id: ids.next(),
  integration_id: seeded.integrationId,
  received_at,
  ...pushed,
  body: new TextEncoder().encode('{"title":"ü"}'),
});

const nothing: Changes = { opened: [], changed: [], entries: [], intents: [], allClear: [] };

/** Saves in a transaction of its own. */
export const save = (fixture: LedgerFixture, changes: Partial<Changes>, now = noon) =>
  fixture.ledger.transact((tx) => tx.save({ ...nothing, ...changes }, now));

/** One question in a transaction of its own. */
export const inTransaction = <T>(
  fixture: LedgerFixture,
  question: (tx: Tx) => Promise<T>,
): Promise<T> => fixture.ledger.transact(question);
