// The same world on PostgreSQL: what it is made of as rows, and every question put to both ledgers.
// One database for all seeds; each begins with empty tables.
import assert from 'node:assert/strict';
import { systemClock } from '../../src/engine/clock.ts';
import type { Faults } from '../../src/engine/faults.ts';
import { createIds } from '../../src/engine/ids.ts';
import type { Tx } from '../../src/engine/ledger.ts';
import type { Configuration } from '../../src/incidents/configuration.ts';
import { declaredOf } from '../../src/oncall/revisions/content.ts';
import type { History } from '../../src/oncall/revisions/history.ts';
import { type Sql, type Transaction, transact } from '../../src/storage/database/database.ts';
import { notePresence, noteRefusing } from '../../src/storage/ledger/deaf-spells.ts';
import { withStoredAlerts } from '../../src/storage/ledger/incident-alerts.ts';
import {
  columns,
  type IncidentRow,
  incidentOf,
  severalIn,
} from '../../src/storage/ledger/incident-rows.ts';
import { createLedger } from '../../src/storage/ledger/ledger.ts';
import { anchorsOf } from '../../src/storage/oncall/layers.ts';
import { countEdit } from '../../src/storage/oncall/shift-cursor.ts';
import { json } from '../../src/storage/records/rows.ts';
import { cacheFor } from '../configuration.ts';
import { anyDatabase, type TestDatabase, testDatabase } from '../database.ts';
import { buildSecrets } from '../secrets.ts';
import { nameOf, type Row, unknownDocument } from './failing-rows.ts';
import type { Declared, Ending, FragileLedger, Mirror } from './fragile-ledger.ts';
import { insertContacts, insertSetting } from './postgres-setting.ts';
import { assertSame } from './same.ts';
import { organizationId } from './setting.ts';
import type { Change, Edited } from './shift-cursors.ts';

/** Both servers, each with a lane more than one transaction, and whoever edits. */
const connectionsMax = 12;

/** More than is ever due: the ledger in memory looks at all of it. */
const claimWindow = 1_000_000;

export class PostgresMirror implements AsyncDisposable {
  readonly #database: TestDatabase;
  readonly #secrets = buildSecrets('a secret key of forty characters, or so.');
  readonly #ids = createIds(systemClock);
  #histories = new Map<string, History>();
  #channels: ReadonlySet<string> = new Set();
  /** What is under way in this world. */
  #open = new Set<Ending>();
  /** What was stored of rows that cannot be read now. */
  #stored = new Map<string, string | null>();
  /** What was told of, by what and id. */
  #reported = new Set<string>();

  private constructor(database: TestDatabase) {
    this.#database = database;
  }

  static async open(): Promise<PostgresMirror> {
    const server = await anyDatabase();
    return new PostgresMirror(await testDatabase({ server, maxConnections: connectionsMax }));
  }

  /** Nothing of the world before is left, wherever it broke. */
  async begin(settings: readonly Configuration[], now: Temporal.Instant): Promise<void> {
    for (const one of [...this.#open]) await one.rollback();
    this.#channels = new Set(settings.flatMap(({ channels }) => [...channels]));
    this.#histories = new Map();
    this.#stored = new Map();
    this.#reported = new Set();
    await transact(this.#sql, async (sql) => {
      await empty(sql);
      // No server of the release before is there.
      await sql`insert into schedule_rules (in_force_from) values (to_timestamp(0))`;
      for (const setting of settings)
        await insertSetting(sql, { setting, secrets: this.#secrets, now });
    });
  }

  /** As a server sees it that has just started. */
  server(): Mirror {
    const [sql, secrets, ids] = [this.#sql, this.#secrets, this.#ids];
    const configurations = cacheFor(...this.#channels);
    const faults: Faults = ({ of, id }) => void this.#reported.add(`${of} ${id}`);
    const ledger = createLedger({ sql, ids, secrets, configurations, faults, claimWindow });
    return {
      nextIncident: () => ledger.nextIncident(),
      nextShiftCursor: () => ledger.nextShiftCursor(),
      nextNotice: (after) => ledger.nextNotice(after),
      hasBacklog: () => ledger.hasBacklog(),
      begin: () => this.#opened<Tx>((work) => ledger.transact(work)),
      beginChange: () => this.#beginChange(),
    };
  }

  /** In the end both hold the same. */
  async checkSame(ledger: FragileLedger, notified: ReadonlySet<string>): Promise<void> {
    const sql = this.#sql;
    const incidents = await sql<IncidentRow[]>`
      select ${sql(columns)} from incidents order by id`;
    const mine = [...ledger.incidents.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    const stored = await withStoredAlerts(sql, incidents.map(incidentOf), severalIn(incidents));
    assertSame('the incidents', mine, stored);
    assertSame('the timelines', timelinesOf(ledger), await this.#timelines());
    assertSame('the notices', noticesOf(ledger), await this.#notices());
    assertSame('the events', eventsOf(ledger), await this.#events());
    assertSame('the shifts', shiftsOf(ledger), await this.#shifts());
    // Whoever tells of a row that another transaction is telling of waits for its key in the outbox.
    // Here that one goes on only afterwards: the wait ends by its limit, and is told as a fault.
    const rows = (all: ReadonlySet<string>) =>
      new Set([...all].filter((one) => !one.startsWith('notice undecided/')));
    assertSame('what failed', rows(notified), rows(this.#reported));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database[Symbol.asyncDispose]();
  }

  get #sql(): Sql {
    return this.#database.sql;
  }

  async #opened<T>(run: (work: (handle: T) => Promise<void>) => Promise<void>) {
    const { handle, ...ending } = await opened(run);
    const ended = (end: () => Promise<void>) => () => {
      this.#open.delete(own);
      return end();
    };
    const own = { commit: ended(ending.commit), rollback: ended(ending.rollback) };
    this.#open.add(own);
    return { ...own, handle };
  }

  async #beginChange(): Promise<Ending & { readonly handle: Declared }> {
    // Of the schedules that this change has locked: others may be edited meanwhile.
    const before = new Map<string, History | undefined>();
    const { handle: sql, ...ending } = await this.#opened<Transaction>((work) =>
      transact(this.#sql, work),
    );
    const handle: Declared = {
      edit: async (edited, change) => {
        const { id } = edited.schedule;
        const was = this.#histories.get(id);
        before.set(id, was);
        this.#histories.set(id, await write(sql, { ...edited, was, change }));
      },
      switches: async ({ organizationId, integrationId, userId }) => {
        await sql`
          update integrations set enabled = not enabled
          where organization_id = ${organizationId} and id = ${integrationId}`;
        await sql`
          update users set active = not active
          where organization_id = ${organizationId} and id = ${userId}`;
      },
      renumbers: async ({ userId: user_id, numbers }) => {
        const of = { organization_id: organizationId, user_id, channel: 'sms' };
        await sql`
          delete from contacts
          where organization_id = ${organizationId} and user_id = ${user_id} and channel = 'sms'`;
        await insertContacts(sql, { ...of, addresses: numbers, now: systemClock.now() });
      },
      corrupt: async (row) => {
        this.#stored.set(nameOf(row), await stored(sql, row));
        await store(sql, row, corruptValueOf(row));
      },
      mend: (row) => store(sql, row, this.#stored.get(nameOf(row)) ?? null),
      // As what is noted every ten seconds leaves it.
      stay: async (now) =>
        void (await sql`
          insert into presence as p (last_at) values (${now})
          on conflict (id) do update set last_at = greatest(p.last_at, excluded.last_at)`),
      returns: (now) => notePresence(sql, now),
      refuse: (refusing) => noteRefusing(sql, refusing),
    };
    const rollback = () => {
      for (const [id, was] of before)
        if (was === undefined) this.#histories.delete(id);
        else this.#histories.set(id, was);
      return ending.rollback();
    };
    return { ...ending, handle, rollback };
  }

  #timelines(): Promise<readonly object[]> {
    return this.#sql`
      select incident_id, at, type, text, actor, details from timeline
      order by incident_id, sequence`;
  }

  #notices(): Promise<readonly object[]> {
    return this.#sql`
      select key, kind, channel, rank, state, reason, attempts, created_at, wake_at from outbox
      order by key`;
  }

  #events(): Promise<readonly object[]> {
    return this.#sql`
      select id, integration_id, received_at, outcome, reason, alerts, times from events
      order by id`;
  }

  #shifts(): Promise<readonly object[]> {
    return this.#sql`
      select e.shift_id, e.type, e.at, s.user_id, s.source, s.start_at, s.end_at
      from shift_events e join shifts s
        on s.organization_id = e.organization_id and s.id = e.shift_id
      order by e.shift_id, e.type`;
  }
}

class RolledBack extends Error {}

/** A transaction that is kept open until it is told how it ends. */
async function opened<T>(
  run: (work: (handle: T) => Promise<void>) => Promise<void>,
): Promise<Ending & { readonly handle: T }> {
  const { promise: handle, resolve: give, reject: refuse } = Promise.withResolvers<T>();
  const { promise: end, resolve: commit, reject: rollback } = Promise.withResolvers<void>();
  const done = run((one) => {
    give(one);
    return end;
  });
  done.catch(refuse);
  return {
    handle: await handle,
    commit: () => {
      commit();
      return done;
    },
    rollback: async () => {
      rollback(new RolledBack());
      await assert.rejects(done, RolledBack);
    },
  };
}

/** As the owner of the tables, whatever points to what. */
const empty = (sql: Transaction) => sql`
  do $$
  declare kept text;
  begin
    set local session_replication_role = replica;
    for kept in
      select tablename from pg_tables
      where schemaname = 'public' and tablename not in ('pager_migrations', 'installation')
    loop
      execute format('delete from %I', kept);
    end loop;
    set local session_replication_role = origin;
  end $$`;

const places = {
  incident: { table: 'incidents', key: 'id', column: 'escalation' },
  notice: { table: 'outbox', key: 'key', column: 'notice' },
  shift_cursor: { table: 'shift_cursors', key: 'oncall_schedule_id', column: 'shift_id' },
} as const;

/** Of a shift cursor, the shift that runs is none that there is. */
const corruptValueOf = ({ of }: Row): string =>
  of === 'shift_cursor' ? 'f'.repeat(24) : JSON.stringify(unknownDocument);

async function stored(sql: Transaction, { of, id }: Row): Promise<string | null> {
  const { table, key, column } = places[of];
  const [row] = await sql<{ was: string | null }[]>`
    select ${sql(column)}::text as was from ${sql(table)} where ${sql(key)} = ${id}`;
  return row?.was ?? null;
}

async function store(sql: Transaction, { of, id }: Row, value: string | null): Promise<void> {
  const { table, key, column } = places[of];
  const typed = of === 'shift_cursor' ? sql`${value}` : sql`${value}::text::json`;
  await sql`update ${sql(table)} set ${sql(column)} = ${typed} where ${sql(key)} = ${id}`;
}

type Writing = Edited & { readonly was: History | undefined; readonly change: Change };

/** What an edit adds to a history, as rows; answers what it is then. */
async function write(sql: Transaction, { schedule, now, was, change }: Writing): Promise<History> {
  const { organization_id, id: oncall_schedule_id } = schedule;
  const of = { organization_id, oncall_schedule_id };
  const edit = was
    ? await countEdit(sql, { organizationId: organization_id, scheduleId: schedule.id, now })
    : { edit: 1, at: now };
  const before = was ?? { revisions: [], overrides: [] };
  const after = change(before, edit);
  for (const { layers, timezone, archived, edit, from } of after.revisions.slice(
    before.revisions.length,
  )) {
    const number = after.revisions.length;
    const columns = {
      timezone,
      layers: json(sql, layers.map(declaredOf)),
      anchors: json(sql, anchorsOf(layers)),
    };
    if (was)
      await sql`
        update oncall_schedules set ${sql({ ...columns, archived_at: archived ? now : null })}
        where id = ${schedule.id}`;
    await sql`
      insert into schedule_revisions ${sql({ ...of, ...columns, number, edit, in_force_from: from, archived })}`;
  }
  for (const [index, override] of after.overrides.entries()) {
    const earlier = before.overrides[index];
    const { id, user_id, replaces_user_id, start, end, edit, in_force_from, ended } = override;
    if (earlier === undefined)
      await sql`
        insert into oncall_overrides ${sql({
          ...of,
          id,
          user_id,
          replaces_user_id: replaces_user_id ?? null,
          start_at: start,
          end_at: end,
          edit,
          in_force_from,
          number: 1,
          created_at: in_force_from,
          actor: json(sql, {}),
        })}`;
    else if (earlier.ended === null && ended !== null)
      await sql`
        update oncall_overrides set ended_edit = ${ended.edit}, in_force_until = ${ended.at}
        where id = ${id}`;
  }
  for (const [index, period] of (after.inactive ?? []).entries()) {
    const earlier = before.inactive?.[index];
    const { user_id, start, end, edit, ended_edit } = period;
    if (earlier === undefined)
      await sql`
        insert into schedule_inactivity ${sql({ ...of, user_id, edit, in_force_from: start })}`;
    else if (earlier.end === null && end !== null)
      await sql`
        update schedule_inactivity set ended_edit = ${ended_edit}, in_force_until = ${end}
        where oncall_schedule_id = ${oncall_schedule_id} and user_id = ${user_id}
          and edit = ${edit}`;
  }
  if (!was)
    await sql`
      insert into shift_cursors ${sql({
        ...of,
        edits: 1,
        seen_edits: 1,
        edited_at: now,
        advanced_to: now,
        wake_at: now,
      })}`;
  return after;
}

type Rows = readonly object[];

const timelinesOf = ({ timeline }: FragileLedger): Rows => {
  const rows = [...timeline.values()].map(({ organization_id: _, ...row }) => row);
  return rows.sort((a, b) => compare(a.incident_id, b.incident_id));
};

const noticesOf = ({ outbox }: FragileLedger): Rows =>
  [...outbox.values()]
    .map(
      ({ intent: { key, kind, channel }, rank, state, reason, attempts, createdAt, wakeAt }) => ({
        key,
        kind,
        channel,
        rank,
        state,
        reason,
        attempts,
        created_at: createdAt,
        wake_at: wakeAt,
      }),
    )
    .sort((a, b) => compare(a.key, b.key));

const eventsOf = ({ events }: FragileLedger): Rows =>
  [...events.values()]
    .map(({ event: { id, integration_id, received_at }, decision, times }) => ({
      id,
      integration_id,
      received_at,
      times,
      outcome: decision?.outcome,
      reason: decision?.reason,
      alerts: decision?.alerts,
    }))
    .sort((a, b) => compare(a.id, b.id));

const shiftsOf = ({ shiftEvents, shifts }: FragileLedger): Rows =>
  [...shiftEvents.values()]
    .flatMap(({ type, at, shift: { id: shift_id } }) => {
      const shift = shifts.get(shift_id);
      if (!shift) return [];
      const { user_id, source, start: start_at, end: end_at } = shift;
      return [{ shift_id, type, at, user_id, source, start_at, end_at }];
    })
    .sort((a, b) => compare(a.shift_id, b.shift_id) || compare(a.type, b.type));

const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);
