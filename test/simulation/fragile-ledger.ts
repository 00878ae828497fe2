// The ledger in memory as servers share it that may die: with stored events and shift cursors,
// and told to whoever checks what was done. It locks as PostgreSQL does, and what was not locked
// must not be written. What a second ledger answers beside it must be the same.
import assert from 'node:assert/strict';
import type { Faults } from '../../src/engine/faults.ts';
import { BacklogRoundRobin } from '../../src/engine/intake/backlog-round-robin.ts';
import type { Refusing } from '../../src/engine/intake/refused-spells.ts';
import type { Ledger, Tx } from '../../src/engine/ledger.ts';
import { failureOf } from '../../src/engine/log.ts';
import type { Changes } from '../../src/engine/ports/changes.ts';
import type { NotedClock } from '../../src/engine/ports/clocks.ts';
import type { Decision, StoredEvent } from '../../src/engine/ports/events.ts';
import type { UnreadableIncident } from '../../src/engine/ports/incidents.ts';
import { hourOf } from '../../src/engine/ports/intake.ts';
import { groupText, type Key, keyText, rawKeyText } from '../../src/engine/ports/keys.ts';
import type { AttemptResult, Report } from '../../src/engine/ports/sending.ts';
import type { DueShiftCursor, ShiftChanges } from '../../src/engine/ports/shifts.ts';
import {
  dayOf,
  type SpentBytes,
  type StoredBytes,
  spentReason,
} from '../../src/engine/ports/stored-bytes.ts';
import type { Claimed } from '../../src/engine/sending/claimed.ts';
import type { Jump } from '../../src/incidents/clock-jump.ts';
import { type Configuration, configurationIn } from '../../src/incidents/configuration.ts';
import { teamsGroupingAcross } from '../../src/incidents/group-key.ts';
import type { ShiftEvent } from '../../src/shifts/advance.ts';
import { claimIn } from '../../src/what-if/memory/claim.ts';
import { dueIn } from '../../src/what-if/memory/due.ts';
import { finishIn } from '../../src/what-if/memory/finished.ts';
import { alertText, endOf, groupsIn, knownIn, knownRawIn } from '../../src/what-if/memory/known.ts';
import { MemoryLedger, type MemoryLedgerOptions } from '../../src/what-if/memory/ledger.ts';
import { roundsOf } from '../../src/what-if/memory/round-pages.ts';
import type { Rows } from '../../src/what-if/memory/table.ts';
import { noFaults } from '../no-faults.ts';
import { clockLock, notedIn, openAfter, pendingIn, recordJumpIn } from './clocks.ts';
import { type DeafRows, deafIn, presenceLocks } from './deaf-rows.ts';
import {
  type BrokenNotice,
  dueIncidentsIn,
  failureOfNotice,
  knownRows,
  notifyOfUndecidedIn,
  postponeShiftCursorIn,
  putOffIncidentIn,
  putOffNotices,
  type Row,
  readableIn,
  readableOfDue,
  readableShiftCursors,
  readRound,
  wakeOf,
} from './failing-rows.ts';
import { Luck } from './luck.ts';
import { assertSame, isInNoOrder } from './same.ts';
import type { Renumbered, Switched } from './setting.ts';
import {
  type Change,
  dueShiftCursorsIn,
  type Edited,
  type ShiftCursorRow,
  type ShiftRow,
  saveShiftsIn,
  withNeededHistory,
} from './shift-cursors.ts';
import { Conflict, type Lock, type Need, type Transaction, Transactions } from './transactions.ts';
import { createTurnCheck, type Turn } from './turn-invariants.ts';

type StoredRow = StoredBytes & { readonly day: string };

export type EventRow = { event: StoredEvent; decision: Decision | null; times: number };

/** What one committed transaction did, for whoever checks that it was right. */
export type Deed =
  | { readonly type: 'saved'; readonly changes: Changes; readonly now: Temporal.Instant }
  | {
      readonly type: 'claimed';
      readonly claimed: readonly Claimed[];
      readonly cancelled: readonly Claimed[];
      readonly now: Temporal.Instant;
    }
  | { readonly type: 'finished'; readonly attempts: readonly AttemptResult[] }
  | { readonly type: 'reported'; readonly report: Report }
  | { readonly type: 'advanced'; readonly changes: readonly ShiftChanges[] }
  | { readonly type: 'decided'; readonly events: readonly StoredEvent[] }
  | { readonly type: 'jumped'; readonly jump: Jump };

/** `lost_before` and `lost_after`: the process dies just before or just after its commit. */
export type Fate = 'commit' | 'lost_before' | 'lost_after';
export class Lost extends Error {
  /** Nobody that the work was about is to blame for it. */
  override readonly name = 'DatabaseUnavailable';
}

export type Ending = { commit(): Promise<void>; rollback(): Promise<void> };

/** What people declare, changed on another ledger. */
export type Declared = {
  edit(edited: Edited, change: Change): Promise<void>;
  switches(switched: Switched): Promise<void>;
  renumbers(renumbered: Renumbered): Promise<void>;
  /** It cannot be read any more; or it can again, as it was. */
  corrupt(row: Row): Promise<void>;
  mend(row: Row): Promise<void>;
  /** Servers were there until now; or one is there again. */
  stay(now: Temporal.Instant): Promise<void>;
  returns(now: Temporal.Instant): Promise<void>;
  refuse(refusing: readonly Refusing[]): Promise<ReadonlySet<string>>;
};

/** Another ledger, as one server sees it; what is begun there ends as it does here. */
export type Mirror = Omit<Ledger, 'transact'> & {
  begin(): Promise<Ending & { readonly handle: Tx }>;
  beginChange(): Promise<Ending & { readonly handle: Declared }>;
};

/** One server: when it dies, whose backlog it served last, and its way to the other ledger. */
type Process = {
  readonly fate: () => Fate;
  /** Whoever is dead begins nothing. */
  readonly isAlive: () => boolean;
  readonly turns: BacklogRoundRobin;
  readonly checkTurn: (turn: Turn) => void;
  readonly mirror: Mirror | null;
  /** It must lock what it writes, as whoever asks for one thing alone need not. */
  readonly isStrict: boolean;
};

type Seen = Partial<Pick<Process, 'mirror' | 'isAlive'>>;

export type Changing = {
  readonly locks: readonly Lock[];
  readonly own: () => void;
  readonly other: (declared: Declared) => Promise<void>;
};

export type ServerLedger = Ledger & {
  /** A change of what is declared, in a transaction of its own. */
  change(changing: Changing): Promise<void>;
};

type Own = {
  /** Told of rows that cannot be read. */
  readonly faults?: Faults;
  /** Of other organisations. */
  readonly others?: readonly Configuration[];
  readonly luck?: Luck;
  readonly recipientKeyOf?: MemoryLedgerOptions['recipientKeyOf'];
};

/** What belongs to one transaction. */
type Doing = Pick<Process, 'turns' | 'checkTurn' | 'isStrict'> & {
  readonly transaction: Transaction;
  readonly deeds: Deed[];
};

export class FragileLedger extends MemoryLedger implements Ledger {
  readonly #declared = new Map<string, Configuration>();
  readonly events = new Map<string, EventRow>();
  /** What integrations store in a day. */
  readonly stored = new Map<string, StoredRow>();
  readonly shiftCursors = new Map<string, ShiftCursorRow>();
  readonly shifts = new Map<string, ShiftRow>();
  readonly shiftEvents = new Map<string, ShiftEvent>();
  readonly spells: DeafRows['spells'] = new Map();
  readonly presence: DeafRows['presence'] = new Map();
  /** By server. */
  readonly clocks = new Map<string, NotedClock>();
  /** Rows that cannot be read now, or could not be once. */
  readonly corruptions = new Map<string, boolean>();
  /** Until when incidents are postponed that did not say so themselves. */
  readonly postponements = new Map<string, Temporal.Instant | null>();
  readonly faults: Faults;
  observe: (deed: Deed) => void = () => {};
  readonly #transactions: Transactions;
  readonly #turns = new BacklogRoundRobin();
  readonly #tables = new Map<unknown, string>([
    [this.incidents, 'incident'],
    [this.outbox, 'notice'],
    [this.counters, 'counter'],
    [this.events, 'event'],
    [this.shiftCursors, 'shift_cursor'],
    [this.presence, 'presence'],
    [this.clocks, 'clock'],
    [this.corruptions, 'corruptions'],
    [this.postponements, 'incident'],
  ]);
  /** Whose step is done now. */
  #doing: Doing | null = null;
  #entries = 0;
  #commits = 0;
  /** After which commit the other ledger last answered the same, by question. */
  readonly #compared = new Map<string, number>();
  /** A fault that is nobody's death: nothing may hide it, whoever tries again. */
  #fault: unknown = null;

  constructor(
    configuration: Configuration,
    { luck = new Luck(0), recipientKeyOf, others = [], faults = noFaults }: Own = {},
  ) {
    super({ configurations: new Map(), faults, ...(recipientKeyOf && { recipientKeyOf }) });
    for (const one of [configuration, ...others]) this.#declared.set(one.organization_id, one);
    this.#transactions = new Transactions(luck);
    this.faults = faults;
  }

  configurationOf(organizationId: string): Configuration {
    return configurationIn(this.#declared, organizationId);
  }

  declare(configuration: Configuration): void {
    this.put(this.#declared, configuration.organization_id, configuration);
  }

  /** The same ledger as one server process sees it: `fate` decides when that process dies. */
  seenBy(fate: () => Fate, { mirror = null, isAlive = () => true }: Seen = {}): ServerLedger {
    const own = { turns: new BacklogRoundRobin(), checkTurn: createTurnCheck() };
    const process = { fate, isAlive, ...own, mirror, isStrict: true };
    const both = async <T>(
      what: string,
      call: (ledger: Omit<Ledger, 'transact'>) => Promise<T>,
    ): Promise<T> => {
      const own = await call(this);
      // Until the next commit both would answer it again as they did.
      if (mirror === null || this.#compared.get(what) === this.#commits) return own;
      assertSame(what, own, await call(mirror));
      this.#compared.set(what, this.#commits);
      return own;
    };
    return {
      transact: (work) => this.#run(work, process),
      change: (changing) => this.#change(changing, process),
      nextIncident: () => both('nextIncident', (ledger) => ledger.nextIncident()),
      nextShiftCursor: () => both('nextShiftCursor', (ledger) => ledger.nextShiftCursor()),
      nextNotice: (after) => both(`nextNotice ${after}`, (ledger) => ledger.nextNotice(after)),
      hasBacklog: () => both('hasBacklog', (ledger) => ledger.hasBacklog()),
    };
  }

  override transact<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const fate = () => 'commit' as const;
    const process = { fate, isAlive: () => true, turns: this.#turns, checkTurn() {} };
    return this.#run(work, { ...process, mirror: null, isStrict: false });
  }

  /** When no transaction is under way. */
  idle(): Promise<void> {
    return this.#transactions.idle();
  }

  async nextIncident(): Promise<Temporal.Instant | null> {
    return earliest([...this.incidents.values()].map((one) => wakeOf(this, one)));
  }

  async nextNotice(after?: Temporal.Instant): Promise<Temporal.Instant | null> {
    return this.outbox.next(after);
  }

  async nextShiftCursor(): Promise<Temporal.Instant | null> {
    return earliest([...this.shiftCursors.values()].map((row) => row.wakeAt));
  }

  async hasBacklog(): Promise<boolean> {
    return [...this.events.values()].some((row) => !row.decision);
  }

  /** Writes so that it can be undone, and only what is locked. */
  override put<K, V>(rows: Rows<K, V>, key: K, value: V): void {
    const doing = this.#doing;
    if (doing === null) {
      super.put(rows, key, value);
      return;
    }
    const table = this.#tables.get(rows);
    const lock = `${table} ${key}`;
    if (rows.get(key) !== undefined && table !== undefined) mustHold(doing, lock);
    else this.#transactions.hold(doing.transaction, { lock });
    doing.transaction.write(rows, key, value);
    // The table is one of incidents, and so its key is an incident's id.
    const id = key as string;
    if ((rows as unknown) === this.incidents && this.postponements.get(id))
      doing.transaction.write(this.postponements, id, null);
  }

  override addEntries(entries: Changes['entries'], at: Temporal.Instant): void {
    for (const entry of entries) {
      this.#entries += 1;
      this.put(this.timeline, this.#entries, { ...entry, at });
    }
  }

  #run<T>(work: (tx: Tx) => Promise<T>, process: Process): Promise<T> {
    const begin = async () => (await process.mirror?.begin()) ?? null;
    return this.#transact(process, begin, (doing, other) => work(this.#tx(doing, other)));
  }

  async #change({ locks, own, other }: Changing, process: Process): Promise<void> {
    const begin = async () => (await process.mirror?.beginChange()) ?? null;
    await this.#transact(process, begin, (doing, declared) =>
      this.#transactions.step(doing.transaction, {
        needs: () => locks.map((lock) => ({ lock })),
        work: async () => {
          this.#as(doing, own);
          if (declared !== null) await other(declared);
        },
      }),
    );
  }

  async #transact<T, Other>(
    process: Process,
    begin: () => Promise<(Ending & { readonly handle: Other }) | null>,
    work: (doing: Doing, other: Other | null) => Promise<T>,
  ): Promise<T> {
    if (this.#fault !== null) throw this.#fault;
    if (!process.isAlive()) throw new Lost('the process is dead');
    return this.#transactions.run(async (transaction) => {
      const step = <S>(does: () => Promise<S>) =>
        this.#transactions.step(transaction, { work: does });
      const other = await step(begin);
      const doing: Doing = { ...process, transaction, deeds: [] };
      let result: T;
      try {
        result = await work(doing, other?.handle ?? null);
      } catch (error) {
        await step(async () => other?.rollback());
        const isExpected = error instanceof Conflict || error instanceof Lost;
        if (process.isStrict && !isExpected) this.#fault ??= error;
        throw error;
      }
      await step(() => this.#end(doing, other, process.fate()));
      return result;
    });
  }

  async #end({ transaction, deeds }: Doing, other: Ending | null, fate: Fate): Promise<void> {
    if (fate === 'lost_before') {
      await other?.rollback();
      throw new Lost('the process died before its commit');
    }
    await other?.commit();
    transaction.commit();
    this.#commits += 1;
    this.#show(deeds);
    if (fate === 'lost_after') throw new Lost('the process died after its commit');
  }

  #show(deeds: readonly Deed[]): void {
    try {
      for (const deed of deeds) this.observe(deed);
    } catch (error) {
      this.#fault ??= error;
      throw error;
    }
  }

  #as<T>(doing: Doing, work: () => T): T {
    this.#doing = doing;
    try {
      return work();
    } finally {
      this.#doing = null;
    }
  }

  /** Each question is a step of its own, answered by both ledgers. */
  #tx(doing: Doing, other: Tx | null): Tx {
    const needs = this.#needs(doing.transaction);
    const own = this.#bareTx(doing);
    // The names of the port's functions are the keys of `own`, and each is asked as it was.
    const names = Object.keys(own) as (keyof Tx)[];
    const calls = names.map((name) => {
      type Call = (...args: readonly unknown[]) => Promise<unknown>;
      const lockers = needs[name] as Lockers | undefined;
      const call: Call = (...params) => {
        const args = params.map(memoized);
        return this.#transactions.step(doing.transaction, {
          needs: lockers ? () => lockers(...args) : null,
          work: async () => {
            const mine = await this.#as(doing, () => (own[name] as Call)(...args));
            if (other === null) return mine;
            const theirs = await (other[name] as Call)(...args.map(withoutReports));
            assertSame(name, mine, theirs);
            return isInNoOrder(name) ? mine : theirs;
          },
        });
      };
      return [name, call];
    });
    return Object.fromEntries(calls);
  }

  /** Those of the integrations that group across several. */
  #groupingTeams(keys: readonly Key[]): readonly Need[] {
    const byOrganization = Map.groupBy(keys, ({ organization_id }) => organization_id);
    return [...byOrganization].flatMap(([id, own]) => {
      const ids = own.map(({ integration_id }) => integration_id);
      return [...teamsGroupingAcross(this.configurationOf(id), ids)].sort().map(teamLock);
    });
  }

  /** What each question locks, waiting for whoever holds it. */
  #needs(transaction: Transaction): Needs {
    const incidents = (ids: Iterable<string>, shared = false) =>
      [...ids].map((id) => ({ lock: `incident ${id}`, shared }));
    const heads = (entries: Iterable<{ readonly incident_id: string }>) =>
      [...entries].map(({ incident_id }) => ({ lock: `head ${incident_id}` }));
    return {
      lockIntegrations: (keys) => keys.map(({ integration_id }) => integrationLock(integration_id)),
      keyStates: (keys) =>
        incidents(
          keys
            .flatMap((key) => [keyText(key), alertText(key)])
            .flatMap((text) => this.#matched(text)),
        ),
      rawKeyStates: (keys) => incidents(keys.flatMap((key) => this.#matched(rawKeyText(key)))),
      lockGroupingTeams: (keys) => this.#groupingTeams(keys),
      groups: (groups) => [
        ...groups.flatMap(({ acrossTeam }) =>
          acrossTeam === undefined ? [] : [teamLock(acrossTeam)],
        ),
        ...incidents(groups.flatMap((group) => this.#matched(groupText(group)))),
      ],
      lockIncidents: (organizationId, ids) =>
        incidents(ids.filter((id) => this.incidents.get(id)?.organization_id === organizationId)),
      anotherIsOpen: ({ source_integration_id: id }) => (id === null ? [] : [integrationLock(id)]),
      settleEvents: (fates) => fates.map(({ event }) => ({ lock: `event ${event.id}` })),
      countStorm: (counts) => [...counts.keys()].map((id) => ({ lock: `event ${id}` })),
      // Whoever stores events without deciding them has no lock of their integration.
      countBytes: (stored) =>
        stored.map(({ integration_id: id }) => ({ lock: `stored_bytes ${id}` })),
      save: ({ opened, entries }) => [
        ...heads(entries),
        ...[...new Set(opened.map(({ organization_id }) => `counter ${organization_id}`))]
          .sort()
          .map((lock) => ({ lock })),
      ],
      claim: (request) => {
        const isFree = (key: string) =>
          this.#transactions.isFree({ lock: `notice ${key}` }, transaction);
        const due = dueIn(this, request, isFree);
        const notices = due.flatMap(({ intent }) => ('incident_id' in intent ? intent : []));
        const ids = new Set(notices.map((intent) => intent.incident_id));
        // What is sent to people is counted, and shifts in chats, per channel.
        const isCounted = (intent: (typeof due)[number]['intent']) =>
          !('undecided' in intent) &&
          (intent.user_id !== null || (!('incident_id' in intent) && intent.channel !== 'webhook'));
        const counted = due.filter(({ intent, attempts }) => isCounted(intent) && attempts === 0);
        const usage = new Set(
          counted.map(({ intent }) => `usage ${intent.organization_id} ${intent.channel}`),
        );
        return [
          ...incidents(ids, true),
          ...heads(notices),
          ...[...usage].map((lock) => ({ lock })),
        ];
      },
      notedClocks: () => [...this.clocks.keys()].map((id) => ({ lock: clockLock(id) })),
      noteClock: ({ id }) => [{ lock: clockLock(id) }],
      openIncidents: (after, limit) => incidents(openAfter(this, after, limit).map(({ id }) => id)),
      recordJump: ({ mayBeTime }) => [
        ...(mayBeTime ? [] : pendingIn(this).map((key) => ({ lock: `notice ${key}` }))),
        ...presenceLocks.map((lock) => ({ lock })),
      ],
      postponeIncident: ({ id }) => [...incidents([id]), ...heads([{ incident_id: id }])],
      postponeNotice: ({ key }) => [{ lock: `notice ${key}` }],
      postponeShiftCursor: ({ id }) => [{ lock: `shift_cursor ${id}` }],
      recordReceipt: ({ key }) => {
        const intent = this.outbox.get(key)?.intent;
        const about = intent && 'incident_id' in intent ? [intent] : [];
        const paged = about.filter(({ kind }) => kind === 'page').map((one) => one.incident_id);
        return [{ lock: `notice ${key}` }, ...incidents(paged), ...heads(about)];
      },
      finish: (attempts) => {
        const entries = attempts.flatMap(({ entry }) => entry ?? []);
        const failed = attempts.flatMap(({ state, entry }) =>
          state === 'failed' && entry ? [entry.incident_id] : [],
        );
        const paged = attempts.flatMap(({ claimed }) =>
          claimed.about === 'incident' && claimed.kind === 'page' ? [claimed.incident.id] : [],
        );
        const notices = attempts.map(({ claimed }) => ({ lock: `notice ${claimed.key}` }));
        return [...notices, ...incidents([...paged, ...failed]), ...heads(entries)];
      },
    };
  }

  /** The incidents that a key leads to, and those by which it does. */
  #matched(group: string): string[] {
    const led = this.incidents.inGroup(group).filter((one) => {
      return one.status !== 'resolved' || one.merged_into_id !== null;
    });
    return led.flatMap((one) => [one.id, endOf(one, this.incidents).id]);
  }

  #bareTx(doing: Doing): Tx {
    const tx = super.tx();
    const { transaction, turns, checkTurn, deeds } = doing;
    const isFree = (lock: Lock) => this.#transactions.isFree({ lock }, transaction);
    const locked = <T>(all: readonly T[], lockOf: (one: T) => Lock): readonly T[] => {
      for (const one of all) this.#transactions.hold(transaction, { lock: lockOf(one) });
      return all;
    };
    const incidentLock = ({ id }: { readonly id: string }) => `incident ${id}`;
    const cursorLock = ({ schedule }: Pick<DueShiftCursor, 'schedule'>) =>
      `shift_cursor ${schedule.id}`;
    const mustDecide = (events: readonly StoredEvent[]) => {
      for (const { integration_id } of events)
        mustHold(doing, integrationLock(integration_id).lock);
    };
    return {
      ...tx,
      configurations: async (ids) => {
        return new Map([...ids].map((id) => [id, this.configurationOf(id)]));
      },
      lockIntegrations: async () => {},
      withBacklog: async (keys) => {
        const waiting = new Set(this.undecided().map((event) => event.integration_id));
        return new Set(keys.map((key) => key.integration_id).filter((id) => waiting.has(id)));
      },
      backlog: async (limit, again) => {
        const waiting = this.undecided().toSorted(byArrival);
        const isFreeNow = (id: string) => isFree(integrationLock(id).lock);
        const hold = (id: string) => this.#transactions.hold(transaction, integrationLock(id));
        const isAgain = again !== undefined && isFreeNow(again.integration_id);
        if (isAgain) hold(again.integration_id);
        const same = waiting.filter((one) => one.integration_id === again?.integration_id);
        const next = isAgain && same.length > 0 ? same : nextOf(turns, waiting, isFreeNow);
        const [served = null] = next;
        if (next !== same)
          checkTurn({ served, waiting: waiting.filter((one) => isFreeNow(one.integration_id)) });
        for (const { integration_id } of next) hold(integration_id);
        return next.slice(0, limit);
      },
      insertEvents: async (fates) => {
        const events = fates.filter((one) => one.decision).map((one) => one.event);
        mustDecide(events);
        for (const { event, decision } of fates) {
          // The answer to its commit was lost, and its server lives and stores it again.
          if (this.events.has(event.id)) throw new Lost('it is stored already');
          this.put(this.events, event.id, { event, decision, times: 1 });
        }
        deeds.push({ type: 'decided', events });
      },
      settleEvents: async (fates) => {
        mustDecide(fates.map(({ event }) => event));
        for (const { event, decision } of fates)
          this.#changeEvent(event.id, () => ({
            decision,
            ...(event.cut_from != null && { event }),
          }));
      },
      countStorm: async (counts) => {
        for (const [id, counted] of counts)
          this.#changeEvent(id, ({ times }) => ({ times: times + counted.times }));
      },
      spentBytes: async (keys, now) => spentIn(this.stored, keys, now),
      countBytes: async (stored, now) => {
        for (const one of stored) {
          const before = this.stored.get(one.integration_id);
          const isLater = before !== undefined && before.day >= dayOf(now);
          const { bytes, cutEvents, rows } = isLater
            ? before
            : { bytes: 0, cutEvents: 0, rows: {} };
          this.put(this.stored, one.integration_id, {
            ...one,
            day: isLater ? before.day : dayOf(now),
            bytes: Math.max(0, bytes + one.bytes),
            cutEvents: cutEvents + one.cutEvents,
            rows: { ...rows, ...one.rows },
          });
        }
      },
      undecidedBytes: async ({ integration_id }) =>
        this.undecided().reduce(
          (sum, event) =>
            event.integration_id === integration_id ? sum + event.body.byteLength : sum,
          0,
        ),
      notifyOfCutEvents: async ({ organization_id, integration_id: id }, now) => {
        const integration = this.configurationOf(organization_id).integrations.get(id);
        if (integration === undefined) return;
        const { team_id, name } = integration;
        const undecided = { of: 'storage', id, name, reason: spentReason(now) } as const;
        const since = dayOf(now);
        notifyOfUndecidedIn(this, { organization_id, team_id, since, undecided }, now);
      },
      dueIncidents: async (now, limit) => {
        const free = dueIncidentsIn(this, now).filter((one) => isFree(incidentLock(one)));
        return readableOfDue(this, locked(free.slice(0, limit), incidentLock), now);
      },
      keyStates: async (keys) => knownIn(knownRows(this), keys, this.ends),
      groups: async (groups) => groupsIn(knownRows(this), groups),
      withContents: async (incident) => incident,
      rawKeyStates: async (keys) => knownRawIn(knownRows(this), keys),
      deafSpells: async (incidents, now) => deafIn(this, incidents, now),
      roundPages: async (incidents) => roundsOf(incidents, (one) => readRound(this, one)),
      lockIncidents: async (organizationId, ids, unreadable) =>
        readableIn(this, await tx.lockIncidents(organizationId, ids), unreadable),
      postponeIncident: async ({ id }, failing) => putOffIncidentIn(this, id, failing),
      postponeNotice: async ({ key }, { error, now }) => {
        const row = this.outbox.get(key);
        return row?.state === 'pending'
          ? (putOffNotices(this, [{ row, error }], now)[0] ?? null)
          : null;
      },
      save: async (changes, now) => {
        for (const { id } of changes.opened) assert.ok(!this.incidents.has(id), `${id} is taken`);
        deeds.push({ type: 'saved', changes, now });
        return tx.save(changes, now);
      },
      recordDone: async () => assert.fail('here no request is sent again'),
      claim: async (request, evaluate) => {
        const cancelled: Claimed[] = [];
        const broken: BrokenNotice[] = [];
        const claimed = claimIn(this, request, (notice, limitReached) => {
          const row = this.outbox.get(notice.key);
          const error = row ? failureOfNotice(this, row) : null;
          if (row && error !== null) {
            broken.push({ row, error });
            return { holdUntil: request.now };
          }
          const verdict = evaluate(notice, limitReached);
          if (verdict && 'reason' in verdict) cancelled.push(notice);
          return verdict;
        });
        for (const one of putOffNotices(this, broken, request.now)) request.unreadable?.(one);
        deeds.push({ type: 'claimed', claimed, cancelled, now: request.now });
        return claimed;
      },
      dueShiftCursors: async (now, limit) => {
        const free = dueShiftCursorsIn(this, now).filter((row) => isFree(cursorLock(row)));
        const due = readableShiftCursors(this, locked(free.slice(0, limit), cursorLock), now);
        return due.flatMap(withNeededHistory);
      },
      notifyOfUnreadableEvent: async ({ organization_id, id, integration_id }, { reason, now }) => {
        const integration = this.configurationOf(organization_id).integrations.get(integration_id);
        const { team_id = '', name = '' } = integration ?? {};
        const undecided = { of: 'event', id, name, reason } as const;
        const about = { key: integration_id, since: hourOf(now), undecided };
        notifyOfUndecidedIn(this, { organization_id, team_id, ...about }, now);
      },
      notifyOfEvent: async ({ organization_id, id, integration_id }, { error, now }) => {
        const integration = this.configurationOf(organization_id).integrations.get(integration_id);
        const { team_id = '', name = '' } = integration ?? {};
        const undecided = { of: 'event', id, name, reason: failureOf(error) } as const;
        notifyOfUndecidedIn(this, { organization_id, team_id, since: 'once', undecided }, now);
      },
      postponeShiftCursor: async ({ id }, failing) => postponeShiftCursorIn(this, id, failing),
      saveShifts: async (changes, now) => {
        deeds.push({ type: 'advanced', changes });
        return saveShiftsIn(this, changes, now);
      },
      notedClocks: async () => notedIn(this),
      noteClock: async (noted) => this.put(this.clocks, noted.id, noted),
      openIncidents: async (after, limit) => {
        const open = openAfter(this, after, limit);
        const last = open.at(-1);
        return {
          incidents: readableIn(this, open),
          last: last ? { organization_id: last.organization_id, id: last.id } : null,
        };
      },
      recordJump: async (jump) => {
        deeds.push({ type: 'jumped', jump });
        recordJumpIn(this, jump);
      },
      recordReceipt: async (report, now, arrived) => {
        deeds.push({ type: 'reported', report });
        return tx.recordReceipt(report, now, (page) => {
          if (readableIn(this, [page.incident]).length > 0) arrived?.(page);
        });
      },
      finish: async (all) => {
        const attempts = all.filter((one) => !one.isUncertain || isClaimedUnder(this, one));
        for (const { claimed } of attempts) {
          const claims = this.outbox.get(claimed.key)?.attempts ?? 0;
          assert.ok(claims >= claimed.attempt, `${claimed.key} ends and was not claimed`);
        }
        const failed = new Set(
          attempts.flatMap(({ state, entry }) =>
            state === 'failed' && entry ? [entry.incident_id] : [],
          ),
        );
        const unreadable: UnreadableIncident[] = [];
        const touched = readableIn(this, finishIn(this, attempts), (one) => {
          if (failed.has(one.id)) unreadable.push(one);
        });
        const [{ finishedAt: now } = { finishedAt: null }] = attempts;
        for (const { id, error } of unreadable)
          if (now) putOffIncidentIn(this, id, { error: error.cause, now });
        deeds.push({ type: 'finished', attempts });
        return touched;
      },
    };
  }

  /** Skipping what others hold, and locked from now on. */
  override mayClaim(key: string): boolean {
    if (this.#doing === null) return true;
    const { transaction } = this.#doing;
    const lock = `notice ${key}`;
    if (!this.#transactions.isFree({ lock }, transaction)) return false;
    this.#transactions.hold(transaction, { lock });
    return true;
  }

  undecided(): readonly StoredEvent[] {
    const rows = [...this.events.values()].filter(({ decision }) => !decision);
    return rows.map(({ event }) => event);
  }

  #changeEvent(id: string, change: (row: EventRow) => Partial<EventRow>): void {
    const row = this.events.get(id);
    if (row) this.put(this.events, id, { ...row, ...change(row) });
  }
}

function mustHold({ isStrict, transaction }: Doing, lock: Lock): void {
  if (isStrict) transaction.mustHold(lock);
}

/** Evaluates each notice once for both ledgers. */
function memoized(arg: unknown): unknown {
  if (typeof arg !== 'function') return arg;
  const verdicts = new Map<string, unknown>();
  return (notice: Claimed, limitReached: boolean) => {
    const verdict = verdicts.has(notice.key) ? verdicts.get(notice.key) : arg(notice, limitReached);
    verdicts.set(notice.key, verdict);
    return verdict;
  };
}

/** Reports what was selected from this ledger alone. */
function withoutReports(arg: unknown): unknown {
  if (typeof arg !== 'object' || arg === null || !('selected' in arg)) return arg;
  const { selected: _, ...others } = arg;
  return others;
}

type Lockers = (...args: readonly unknown[]) => readonly Need[];
type Needs = { readonly [Name in keyof Tx]?: (...args: Parameters<Tx[Name]>) => readonly Need[] };

function spentIn(
  stored: ReadonlyMap<string, StoredRow>,
  keys: readonly Key[],
  now: Temporal.Instant,
): readonly SpentBytes[] {
  const today = [...stored.values()].filter(({ day }) => day >= dayOf(now));
  return keys
    .map(({ organization_id, integration_id }) => {
      const own = today.find((one) => one.integration_id === integration_id);
      return {
        organization_id,
        integration_id,
        integration: own?.bytes ?? 0,
        organization: today.reduce(
          (sum, one) => sum + (one.organization_id === organization_id ? one.bytes : 0),
          0,
        ),
        cutEvents: own?.cutEvents ?? 0,
        rows: own?.rows ?? {},
      };
    })
    .toSorted((a, b) => (a.integration_id < b.integration_id ? -1 : 1));
}

const integrationLock = (id: string): Need => ({ lock: `integration ${id}` });
const teamLock = (id: string): Need => ({ lock: `team ${id}` });

/** Those of the integration whose turn it is. */
function nextOf(
  turns: BacklogRoundRobin,
  events: readonly StoredEvent[],
  isFree: (integrationId: string) => boolean,
): readonly StoredEvent[] {
  const organizations = events.map((event) => event.organization_id);
  for (const organizationId of ring(organizations, turns.organization)) {
    const own = events.filter((event) => event.organization_id === organizationId);
    const integrations = own.map((event) => event.integration_id);
    const waiting = ring(integrations, turns.integrationOf(organizationId));
    const integrationId = waiting.find(isFree) ?? null;
    turns.passed(organizationId, integrationId);
    if (integrationId !== null)
      return own.filter((event) => event.integration_id === integrationId);
  }
  return [];
}

/** Each once: those after the last first, then from the beginning. */
function ring(ids: readonly string[], last: string): readonly string[] {
  const sorted = [...new Set(ids)].sort();
  return [...sorted.filter((id) => id > last), ...sorted.filter((id) => id <= last)];
}

function earliest(instants: readonly (Temporal.Instant | null)[]): Temporal.Instant | null {
  let first: Temporal.Instant | null = null;
  for (const one of instants)
    if (one !== null && (first === null || Temporal.Instant.compare(one, first) < 0)) first = one;
  return first;
}

/** Nobody has claimed it since, and the claim was committed. */
const isClaimedUnder = (
  { outbox }: FragileLedger,
  { claimed: { key, attempt }, withheldUnder }: AttemptResult,
): boolean => {
  const row = outbox.get(key);
  return row?.attempts === attempt && `${row.wakeAt}` === `${withheldUnder}`;
};

const byArrival = (a: StoredEvent, b: StoredEvent) =>
  a.received_at.epochMilliseconds - b.received_at.epochMilliseconds || (a.id < b.id ? -1 : 1);
