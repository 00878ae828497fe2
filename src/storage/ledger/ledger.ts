// The engine's ledger on PostgreSQL: SQL selects, locks and writes; nothing here decides.
import { Turns } from '../../engine/deciding/turns.ts';
import type { Faults } from '../../engine/faults.ts';
import type { Ids } from '../../engine/ids.ts';
import type { Ledger, Tx } from '../../engine/ledger.ts';
import type { ConfigurationCache } from '../configuration/cache.ts';
import { asUnavailable, type Sql, type Transaction, transact } from '../database.ts';
import { finish, pagedSteps } from '../outbox/finished.ts';
import { claim } from '../outbox/outbox.ts';
import { putOffOne } from '../outbox/put-off.ts';
import type { Secrets } from '../secrets.ts';
import { backlog } from './backlog.ts';
import {
  countStorm,
  insertEvents,
  lockIntegrations,
  settleEvents,
  tellOfEvent,
  withBacklog,
} from './events.ts';
import { anotherIsOpen, dueIncidents, known, lockIncidents, putOffIncident } from './incidents.ts';
import { save } from './save.ts';
import { dueWatches, putOffWatch, saveShifts } from './watches.ts';

/** What the functions of this folder are given. */
export type Desk = {
  readonly sql: Transaction;
  readonly ids: Ids;
  readonly secrets: Secrets;
  readonly configurations: ConfigurationCache;
  /** Told of rows that cannot be read; the others go on. */
  readonly faults: Faults;
};

export type LedgerParts = Omit<Desk, 'sql'> & { readonly sql: Sql };

export function createLedger(parts: LedgerParts): Ledger {
  const { sql } = parts;
  const turns = new Turns();
  return {
    transact: (work) =>
      transact(sql, (transaction) => work(txOn({ ...parts, sql: transaction }, turns))),
    nextIncident: () => first(sql<Next>`select min(wake_at) as next from incidents`),
    nextWatch: () => first(sql<Next>`select min(wake_at) as next from schedule_watches`),
    nextNotice: (after) =>
      first(sql<Next>`
        select min(wake_at) as next from outbox
        where state = 'pending' and ${after ? sql`wake_at > ${after}` : sql`wake_at is not null`}`),
    async hasBacklog() {
      const found = sql`select 1 from events where decided_at is null limit 1`;
      return (await unlessLost(found)).length > 0;
    },
  };
}

type Next = { next: Temporal.Instant | null }[];

async function first(rows: Promise<Next>): Promise<Temporal.Instant | null> {
  return (await unlessLost(rows))[0]?.next ?? null;
}

async function unlessLost<T>(rows: Promise<T>): Promise<T> {
  try {
    return await rows;
  } catch (error) {
    throw asUnavailable(error);
  }
}

function txOn(desk: Desk, turns: Turns): Tx {
  return {
    configurations: (ids, now) => desk.configurations.read(desk.sql, ids, now),
    lockIntegrations: (keys) => lockIntegrations(desk, keys),
    withBacklog: (ids) => withBacklog(desk, ids),
    backlog: (limit, again) => backlog(desk, turns, { limit, again }),
    known: (keys) => known(desk, keys),
    insertEvents: (events) => insertEvents(desk, events),
    settleEvents: (events) => settleEvents(desk, events),
    countStorm: (counts) => countStorm(desk, counts),
    dueIncidents: (now, limit) => dueIncidents(desk, now, limit),
    lockIncidents: (organizationId, ids, unreadable) =>
      lockIncidents(desk, { organizationId, ids, unreadable }),
    anotherIsOpen: (incident) => anotherIsOpen(desk, incident),
    save: (changes, now) => save(desk, changes, now),
    claim: (request, unwanted) => claim(desk, request, unwanted),
    putOffNotice: (key, failing) => putOffOne(desk, key, failing),
    putOffIncident: (id, failing) => putOffIncident(desk, id, failing),
    dueWatches: (now, limit) => dueWatches(desk, now, limit),
    putOffWatch: (id, failing) => putOffWatch(desk, id, failing),
    tellOfEvent: (event, failing) => tellOfEvent(desk, event, failing),
    saveShifts: (changes, now) => saveShifts(desk, changes, now),
    finish: (attempts) => finish(desk, attempts),
    pagedSteps: (incident) => pagedSteps(desk, incident),
  };
}
