// The engine's ledger on PostgreSQL: SQL selects, locks and writes; nothing here decides.
import { BacklogRoundRobin } from '../../engine/intake/backlog-round-robin.ts';
import type { KeyExchangeTx } from '../../engine/key-exchange.ts';
import type { Ledger, Transactor, Tx } from '../../engine/ledger.ts';
import type { ClockTx } from '../../engine/ports/clocks.ts';
import type { ScheduleRulesTx } from '../../engine/schedule-rules.ts';
import type { StormLedger, StormTx } from '../../engine/storms.ts';
import { actedBefore, recordActed } from '../connections/replies.ts';
import { asUnavailable, transact } from '../database/database.ts';
import {
  lockJumps,
  lockNotedClocks,
  lockOpenIncidents,
  noteClock,
  recordJump,
} from '../database/server-clocks.ts';
import { beginScheduleRules } from '../oncall/activity.ts';
import type { ChangedIncident } from '../organizations/hints.ts';
import { finish } from '../outbox/finished.ts';
import { claim } from '../outbox/outbox.ts';
import { postponeNotice } from '../outbox/postpone.ts';
import { recordReceipt } from '../outbox/receipts.ts';
import { roundPages } from '../outbox/round-pages.ts';
import { recordDone } from '../records/idempotent-answers.ts';
import { backlog } from './backlog.ts';
import type { LedgerContext, LedgerParts } from './context.ts';
import { deafSpells } from './deaf-spells.ts';
import {
  countStorm,
  insertEvents,
  lockIntegrations,
  notifyOfEvent,
  notifyOfUnreadableEvent,
  settleEvents,
  withBacklog,
} from './events.ts';
import {
  connectedServers,
  eventsReadAgain,
  lockFormerKeys,
  matchingIncidents,
  nextFormerKeys,
  postponeKeys,
  storeKeys,
} from './exchanged-keys.ts';
import { lockGroupingTeams, lockGroups } from './groups.ts';
import { withContents } from './incident-alerts.ts';
import { anotherIsOpen, dueIncidents, lockIncidents, postponeIncident } from './incidents.ts';
import { known, knownRaw } from './known-keys.ts';
import { pastEntries } from './past-entries.ts';
import { save } from './save.ts';
import { dueShiftCursors, postponeShiftCursor, saveShifts } from './shift-cursors.ts';
import { countBytes, notifyOfCutEvents, spentBytes, undecidedBytes } from './stored-bytes.ts';
import { nextStorms, removeStorms, takeStorms } from './storms.ts';

/** `incidentsChanged`: called after a commit that changed some; it must neither wait nor fail. */
export function createLedger({
  incidentsChanged = () => {},
  jumps,
  ...parts
}: LedgerOptions): Ledger &
  StormLedger &
  Transactor<Tx & KeyExchangeTx & ScheduleRulesTx & StormTx> & {
    readonly alone: Transactor<ClockTx>;
  } {
  const { sql } = parts;
  const turns = new BacklogRoundRobin();
  type Work<T> = (tx: Tx & KeyExchangeTx & ScheduleRulesTx & StormTx) => Promise<T>;
  const run = async <T>(work: Work<T>, known?: () => number) => {
    let changed = new Map<string, ChangedIncident>();
    const done = await transact(sql, async (transaction) => {
      changed = new Map();
      // Before the work reads the clock, which may follow a jump while the work waits.
      const followed = known?.();
      const last = known && lockJumps(transaction);
      last?.catch(() => undefined);
      const done = await work(txOn({ ...parts, sql: transaction, changed }, turns));
      if ((await last) !== followed) throw new MissedJump();
      return done;
    });
    if (changed.size > 0) incidentsChanged(changed.values());
    return done;
  };
  return {
    alone: { transact: (work) => run(work) },
    async transact(work) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await run(work, jumps?.known);
        } catch (error) {
          if (!(error instanceof MissedJump) || jumps === undefined || tries === timesTried)
            throw error;
          await jumps.missed();
        }
      }
    },
    nextIncident: () => first(sql<Next>`select min(wake_at) as next from incidents`),
    nextShiftCursor: () => first(sql<Next>`select min(wake_at) as next from shift_cursors`),
    nextNotice: (after) =>
      first(sql<Next>`
        select min(wake_at) as next from outbox
        where state = 'pending' and ${after ? sql`wake_at > ${after}` : sql`wake_at is not null`}`),
    nextStorms: () => unlessLost(nextStorms(sql)),
    async hasBacklog() {
      const rows = sql`select 1 from events where decided_at is null limit 1`;
      return (await unlessLost(rows)).length > 0;
    },
  };
}

type LedgerOptions = LedgerParts & {
  readonly incidentsChanged?: (incidents: Iterable<ChangedIncident>) => void;
  /** Of the clock by which this server writes. */
  readonly jumps?: {
    /** The last that it knows. */
    readonly known: () => number;
    /** Another server has moved what waits since: the clock follows it. */
    readonly missed: () => Promise<void>;
  };
};

/** What was to be written is by a clock that is over. */
class MissedJump extends Error {}

const timesTried = 5;

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

function txOn(
  context: LedgerContext,
  turns: BacklogRoundRobin,
): Tx & KeyExchangeTx & ScheduleRulesTx & StormTx {
  return {
    configurations: (ids, now) => context.configurations.read(context.sql, ids, now),
    lockIntegrations: (keys) => lockIntegrations(context, keys),
    withBacklog: (ids) => withBacklog(context, ids),
    backlog: (limit, again) => backlog(context, turns, { limit, again }),
    keyStates: (keys) => known(context, keys),
    lockGroupingTeams: (integrations) => lockGroupingTeams(context, integrations),
    groups: (groups) => lockGroups(context, groups),
    rawKeyStates: (keys) => knownRaw(context, keys),
    insertEvents: (events) => insertEvents(context, events),
    settleEvents: (events) => settleEvents(context, events),
    countStorm: (counts) => countStorm(context, counts),
    spentBytes: (integrations, now) => spentBytes(context.sql, integrations, now),
    countBytes: (stored, now) => countBytes(context, stored, now),
    undecidedBytes: (integration) => undecidedBytes(context, integration),
    notifyOfCutEvents: (integration, now) => notifyOfCutEvents(context, integration, now),
    dueIncidents: (now, limit) => dueIncidents(context, now, limit),
    deafSpells: (incidents, now) => deafSpells(context.sql, incidents, now),
    lockIncidents: (organizationId, ids, unreadable) =>
      lockIncidents(context, { organizationId, ids, unreadable }),
    withContents: (incident) => withContents(context.sql, incident),
    anotherIsOpen: (incident) => anotherIsOpen(context, incident),
    actedBefore: (reply) => actedBefore(context.sql, reply),
    recordActed: (reply, now) => recordActed(context.sql, reply, now),
    pastEntries: (incident, filter) => pastEntries(context, incident, filter),
    save: (changes, now) => save(context, changes, now),
    recordDone: (request, id) => recordDone(context.sql, request, id),
    claim: (request, unwanted) => claim(context, request, unwanted),
    postponeNotice: (key, failing) => postponeNotice(context, key, failing),
    postponeIncident: (id, failing) => postponeIncident(context, id, failing),
    dueShiftCursors: (now, limit) => dueShiftCursors(context, now, limit),
    postponeShiftCursor: (id, failing) => postponeShiftCursor(context, id, failing),
    notifyOfEvent: (event, failing) => notifyOfEvent(context, event, failing),
    notifyOfUnreadableEvent: (event, unreadable) =>
      notifyOfUnreadableEvent(context, event, unreadable),
    saveShifts: (changes, now) => saveShifts(context, changes, now),
    notedClocks: () => lockNotedClocks(context),
    noteClock: (noted) => noteClock(context, noted),
    openIncidents: (after, limit) => lockOpenIncidents(context, after, limit),
    recordJump: (jump, now) => recordJump(context, jump, now),
    connectedServers: () => connectedServers(context),
    async applyScheduleRules(now) {
      if ((await connectedServers(context)).older) return 'too early';
      return beginScheduleRules(context.sql, now);
    },
    nextFormerKeys: (now) => nextFormerKeys(context, now),
    lockFormerKeys: (key) => lockFormerKeys(context, key),
    matchingIncidents: (key) => matchingIncidents(context, key),
    eventsReadAgain: (key, known) => eventsReadAgain(context, key, known),
    storeKeys: (key, exchanged) => storeKeys(context, key, exchanged),
    postponeKeys: (key, until) => postponeKeys(context, key, until),
    takeStorms: (now) => takeStorms(context, now),
    removeStorms: (storms) => removeStorms(context, storms),
    finish: (attempts) => finish(context, attempts),
    roundPages: (incidents, now) => roundPages(context, incidents, now),
    recordReceipt: (report, now, arrived) => recordReceipt(context, report, now, arrived),
  };
}
