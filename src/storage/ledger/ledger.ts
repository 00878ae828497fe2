// The engine's ledger on PostgreSQL: SQL selects, locks and writes; nothing here decides.
import { Turns } from '../../engine/deciding/turns.ts';
import type { Ids } from '../../engine/ids.ts';
import type { Ledger, Tx } from '../../engine/ledger.ts';
import { asUnavailable, type Sql, type Transaction, transact } from '../database.ts';
import { readAudience } from '../outbox/audience.ts';
import { finish, pagedSteps } from '../outbox/finished.ts';
import { claim } from '../outbox/outbox.ts';
import type { Secrets } from '../secrets.ts';
import { backlog } from './backlog.ts';
import { books, type HeldBooks, type Versions } from './books.ts';
import { readDirectory } from './directory.ts';
import { countStorm, insertEvents, settleEvents, withBacklog } from './events.ts';
import { anotherIsOpen, dueIncidents, known, lockIncidents } from './incidents.ts';
import { receivers } from './receivers.ts';
import { save } from './save.ts';
import { targets } from './targets.ts';
import { dueWatches, saveShifts } from './watches.ts';

/** What the functions of this folder are given. */
export type Desk = {
  readonly sql: Transaction;
  readonly ids: Ids;
  readonly secrets: Secrets;
  /** Channels that are set up. */
  readonly channels: ReadonlySet<string>;
};

export type LedgerParts = Omit<Desk, 'sql'> & { readonly sql: Sql };

export function createLedger(parts: LedgerParts): Ledger {
  const { sql } = parts;
  const held: HeldBooks = new Map();
  const turns = new Turns();
  return {
    transact: (work) =>
      transact(sql, (transaction) => work(txOn({ ...parts, sql: transaction }, { held, turns }))),
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

/** What the server remembers from one transaction to the next. */
type Memory = { readonly held: HeldBooks; readonly turns: Turns };

function txOn(desk: Desk, { held, turns }: Memory): Tx {
  const versions: Versions = new Map();
  return {
    receivers: (ids) => receivers(desk, ids, versions),
    withBacklog: (ids) => withBacklog(desk, ids),
    backlog: (limit) => backlog(desk, turns, limit),
    known: (keys) => known(desk, keys),
    books: (teams) => books(desk.sql, { held, versions }, teams),
    targets: (named) => targets(desk, named),
    directory: (needed, now) => readDirectory(desk, needed, now),
    insertEvents: (events) => insertEvents(desk, events),
    settleEvents: (events) => settleEvents(desk, events),
    countStorm: (counts) => countStorm(desk, counts),
    dueIncidents: (now, limit) => dueIncidents(desk, now, limit),
    lockIncidents: (organizationId, ids) => lockIncidents(desk, organizationId, ids),
    anotherIsOpen: (incident) => anotherIsOpen(desk, incident),
    save: (changes, now) => save(desk, changes, now),
    claim: (request, unwanted) => claim(desk, request, unwanted),
    dueWatches: (now, limit) => dueWatches(desk, now, limit),
    audience: (needed) => readAudience(desk, needed),
    saveShifts: (changes, now) => saveShifts(desk, changes, now),
    finish: (attempts) => finish(desk, attempts),
    pagedSteps: (incident) => pagedSteps(desk, incident),
  };
}
