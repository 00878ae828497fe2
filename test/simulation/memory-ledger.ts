// The engine's ledger in memory, one transaction at a time: what a transaction wrote is undone when
// it throws. test/contracts proves that it means the same as the one on PostgreSQL.
import type { Claimed } from '../../src/engine/claimed.ts';
import type {
  Attempted,
  Changes,
  Decision,
  Key,
  Ledger,
  ShiftChanges,
  StoredEvent,
  Tx,
} from '../../src/engine/ledger.ts';
import type { Directory } from '../../src/incidents/directory.ts';
import { type Incident, isOpen, wakeAt } from '../../src/incidents/incident.ts';
import type { Receiver } from '../../src/incidents/receiver.ts';
import { noStanding, type Standing } from '../../src/incidents/ruled.ts';
import type { Audience } from '../../src/shifts/announce.ts';
import type { ShiftEvent } from '../../src/shifts/look.ts';
import { knownIn } from './memory-known.ts';
import {
  claimIn,
  finishIn,
  insertAllClear,
  insertNotices,
  type NoticeRow,
} from './memory-outbox.ts';
import { dueWatchesIn, type ShiftRow, saveShiftsIn, type WatchRow } from './memory-watches.ts';

export type EventRow = { event: StoredEvent; decision: Decision | null; times: number };
export type EntryRow = Changes['entries'][number] & { readonly at: Temporal.Instant };

/** What one committed transaction did, for whoever checks that it was right. */
export type Deed =
  | { readonly type: 'saved'; readonly changes: Changes; readonly now: Temporal.Instant }
  | {
      readonly type: 'claimed';
      readonly claimed: readonly Claimed[];
      readonly now: Temporal.Instant;
    }
  | { readonly type: 'finished'; readonly attempts: readonly Attempted[] }
  | { readonly type: 'watched'; readonly changes: readonly ShiftChanges[] }
  | { readonly type: 'decided'; readonly events: readonly StoredEvent[] };

/** `lost_before` and `lost_after`: the process dies just before or just after its commit. */
export type Fate = 'commit' | 'lost_before' | 'lost_after';
export class Lost extends Error {}

export type Given = {
  readonly receivers: Map<string, Receiver>;
  directory: Directory;
  /** What teams decided beforehand, and what that points to; nothing when absent. */
  standing?: Standing;
  /** Whom shifts are told to; nobody when absent. */
  audience?: Audience;
};

const nobody: Audience = {
  people: new Map(),
  organizations: new Map(),
  schedules: new Map(),
  webhooks: new Map(),
  channels: new Set(),
};

const earliest = (instants: readonly (Temporal.Instant | null)[]): Temporal.Instant | null =>
  instants.filter((one) => one !== null).sort(Temporal.Instant.compare)[0] ?? null;

export class MemoryLedger implements Ledger {
  readonly given: Given;
  readonly events = new Map<string, EventRow>();
  readonly incidents = new Map<string, Incident>();
  readonly timeline = new Map<number, EntryRow>();
  readonly outbox = new Map<string, NoticeRow>();
  readonly counters = new Map<string, number>();
  readonly watches = new Map<string, WatchRow>();
  readonly shifts = new Map<string, ShiftRow>();
  readonly shiftEvents = new Map<string, ShiftEvent>();
  watch: (deed: Deed) => void = () => {};
  #last: Promise<unknown> = Promise.resolve();
  #undo: (() => void)[] = [];
  #deeds: Deed[] = [];

  constructor(given: Given) {
    this.given = given;
  }

  /** The same ledger as one server process sees it: `fate` decides when that process dies. */
  seenBy(fate: () => Fate): Ledger {
    return {
      transact: (work) => this.#inTurn(() => this.#run(work, fate)),
      nextIncident: () => this.nextIncident(),
      nextWatch: () => this.nextWatch(),
      nextNotice: () => this.nextNotice(),
      hasBacklog: () => this.hasBacklog(),
    };
  }

  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#inTurn(() => this.#run(work, () => 'commit'));
  }

  nextIncident(): Promise<Temporal.Instant | null> {
    return this.#inTurn(async () => earliest([...this.incidents.values()].map(wakeAt)));
  }

  nextWatch(): Promise<Temporal.Instant | null> {
    return this.#inTurn(async () => earliest([...this.watches.values()].map((row) => row.wakeAt)));
  }

  nextNotice(): Promise<Temporal.Instant | null> {
    return this.#inTurn(async () => earliest([...this.outbox.values()].map((row) => row.wakeAt)));
  }

  hasBacklog(): Promise<boolean> {
    return this.#inTurn(async () => [...this.events.values()].some((row) => !row.decision));
  }

  /** Writes so that it can be undone. */
  put<V>(table: Map<string, V> | Map<number, V>, key: string | number, value: V): void {
    // One function for both kinds of key.
    const map = table as Map<string | number, V>;
    const before = map.get(key);
    this.#undo.push(() => (before === undefined ? map.delete(key) : map.set(key, before)));
    map.set(key, value);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work, work);
    this.#last = mine.catch(() => {});
    return mine;
  }

  async #run<T>(work: (tx: Tx) => Promise<T>, fate: () => Fate): Promise<T> {
    this.#undo = [];
    this.#deeds = [];
    let result: T;
    const end = fate();
    try {
      result = await work(this.#tx());
      if (end === 'lost_before') throw new Lost('the process died before its commit');
    } catch (error) {
      for (const undo of this.#undo.reverse()) undo();
      throw error;
    }
    for (const deed of this.#deeds) this.watch(deed);
    if (end === 'lost_after') throw new Lost('the process died after its commit');
    return result;
  }

  #tx(): Tx {
    const undecided = (id: string) =>
      [...this.events.values()].filter((row) => !row.decision && row.event.integration_id === id);
    return {
      receivers: async (keys) => pick(this.given.receivers, keys.map(integrationOf)),
      withBacklog: async (keys) =>
        new Set(keys.map(integrationOf).filter((id) => undecided(id).length > 0)),
      backlog: async (limit) => {
        const first = [...this.events.values()].find((row) => !row.decision);
        const rows = first ? undecided(first.event.integration_id) : [];
        return rows
          .map((row) => row.event)
          .sort(byArrival)
          .slice(0, limit);
      },
      known: async (keys) => knownIn([...this.incidents.values()], keys),
      books: async (teams) =>
        pick(
          (this.given.standing ?? noStanding).books,
          teams.map(({ team_id }) => team_id),
        ),
      targets: async () => (this.given.standing ?? noStanding).targets,
      directory: async () => this.given.directory,
      insertEvents: async (fates) => {
        for (const { event, decision } of fates)
          this.put(this.events, event.id, { event, decision, times: 1 });
        const events = fates.filter((one) => one.decision).map((one) => one.event);
        this.#deeds.push({ type: 'decided', events });
      },
      settleEvents: async (fates) => {
        for (const { event, decision } of fates) this.#settle(event.id, decision);
      },
      countStorm: async (counts) => {
        for (const [id, { times }] of counts) this.#count(id, times);
      },
      dueIncidents: async (now, limit) => this.#due(now).slice(0, limit),
      lockIncidents: async (_organization, ids) => [
        ...pick(this.incidents, [...ids].sort()).values(),
      ],
      anotherIsOpen: async (incident) => this.#anotherIsOpen(incident),
      save: async (changes, now) => this.#save(changes, now),
      claim: async (request, unwanted) => {
        const claimed = claimIn(this, request, unwanted);
        this.#deeds.push({ type: 'claimed', claimed, now: request.now });
        return claimed;
      },
      dueWatches: async (now, limit) => dueWatchesIn(this, now, limit),
      audience: async () => this.given.audience ?? nobody,
      saveShifts: async (changes, now) => {
        this.#deeds.push({ type: 'watched', changes });
        return saveShiftsIn(this, changes, now);
      },
      finish: async (attempts) => {
        finishIn(this, attempts);
        this.#deeds.push({ type: 'finished', attempts });
      },
    };
  }

  #settle(id: string, decision: Decision): void {
    const row = this.events.get(id);
    if (row) this.put(this.events, id, { ...row, decision });
  }

  #count(id: string, times: number): void {
    const row = this.events.get(id);
    if (row) this.put(this.events, id, { ...row, times: row.times + times });
  }

  #due(now: Temporal.Instant): Incident[] {
    const at = (incident: Incident) => wakeAt(incident)?.epochMilliseconds ?? Infinity;
    return [...this.incidents.values()]
      .filter((incident) => at(incident) <= now.epochMilliseconds)
      .sort((a, b) => at(a) - at(b));
  }

  #anotherIsOpen(incident: Incident): boolean {
    return [...this.incidents.values()].some(
      (one) =>
        one.id !== incident.id &&
        isOpen(one) &&
        one.source_integration_id === incident.source_integration_id &&
        one.dedup_key === incident.dedup_key,
    );
  }

  #save(changes: Changes, now: Temporal.Instant): ReadonlyMap<string, number> {
    for (const incident of changes.changed) this.put(this.incidents, incident.id, incident);
    this.say(changes.entries, now);
    insertNotices(this, changes.intents, now);
    for (const incident of changes.allClear) insertAllClear(this, incident, now);
    const numbers = new Map<string, number>();
    for (const incident of changes.opened) {
      const number = (this.counters.get('incident') ?? 0) + 1;
      this.put(this.counters, 'incident', number);
      this.put(this.incidents, incident.id, { ...incident, number });
      numbers.set(incident.id, number);
    }
    this.#deeds.push({ type: 'saved', changes, now });
    return numbers;
  }

  say(entries: Changes['entries'], at: Temporal.Instant): void {
    for (const entry of entries) this.put(this.timeline, this.timeline.size, { ...entry, at });
  }
}

const integrationOf = (key: Key) => key.integration_id;

const byArrival = (a: StoredEvent, b: StoredEvent) =>
  Temporal.Instant.compare(a.received_at, b.received_at) || (a.id < b.id ? -1 : 1);

function pick<V>(map: ReadonlyMap<string, V>, ids: readonly string[]): Map<string, V> {
  return new Map(
    ids.flatMap((id) => {
      const value = map.get(id);
      return value === undefined ? [] : [[id, value] as const];
    }),
  );
}
