// The ledger in memory as servers share it that may die: one transaction at a time, undone when it
// throws; with stored events and watched schedules, and told to whoever checks what was done.

import { Turns } from '../../src/engine/deciding/turns.ts';
import type {
  Attempted,
  Changes,
  Decision,
  Ledger,
  ShiftChanges,
  StoredEvent,
  Tx,
} from '../../src/engine/ledger.ts';
import type { Claimed } from '../../src/engine/sending/claimed.ts';
import { type Configuration, configurationIn } from '../../src/incidents/configuration.ts';
import type { ShiftEvent } from '../../src/shifts/look.ts';
import { MemoryLedger, type Rows } from '../../src/what-if/memory/ledger.ts';
import { noFaults } from '../no-faults.ts';
import {
  dueWatchesIn,
  putOffWatchIn,
  type ShiftRow,
  saveShiftsIn,
  type WatchRow,
} from './watches.ts';

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
  | { readonly type: 'finished'; readonly attempts: readonly Attempted[] }
  | { readonly type: 'watched'; readonly changes: readonly ShiftChanges[] }
  | { readonly type: 'decided'; readonly events: readonly StoredEvent[] };

/** `lost_before` and `lost_after`: the process dies just before or just after its commit. */
export type Fate = 'commit' | 'lost_before' | 'lost_after';
export class Lost extends Error {}

/** One server: when it dies, and whose backlog it served last. */
type Process = { readonly fate: () => Fate; readonly turns: Turns };

export class FragileLedger extends MemoryLedger implements Ledger {
  /** Of the one organisation there is. */
  configuration: Configuration;
  readonly events = new Map<string, EventRow>();
  readonly watches = new Map<string, WatchRow>();
  readonly shifts = new Map<string, ShiftRow>();
  readonly shiftEvents = new Map<string, ShiftEvent>();
  watch: (deed: Deed) => void = () => {};
  readonly #turns = new Turns();
  #last: Promise<unknown> = Promise.resolve();
  #undo: (() => void)[] = [];
  #deeds: Deed[] = [];

  constructor(configuration: Configuration) {
    super({ configurations: new Map(), faults: noFaults });
    this.configuration = configuration;
  }

  /** The same ledger as one server process sees it: `fate` decides when that process dies. */
  seenBy(fate: () => Fate): Ledger {
    const turns = new Turns();
    return {
      transact: (work) => this.#inTurn(() => this.#run(work, { fate, turns })),
      nextIncident: () => this.nextIncident(),
      nextWatch: () => this.nextWatch(),
      nextNotice: (after) => this.nextNotice(after),
      hasBacklog: () => this.hasBacklog(),
    };
  }

  override transact<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#inTurn(() => this.#run(work, { fate: () => 'commit', turns: this.#turns }));
  }

  nextIncident(): Promise<Temporal.Instant | null> {
    return this.#inTurn(async () => this.incidents.next());
  }

  nextWatch(): Promise<Temporal.Instant | null> {
    return this.#inTurn(async () => earliest([...this.watches.values()].map((row) => row.wakeAt)));
  }

  nextNotice(after?: Temporal.Instant): Promise<Temporal.Instant | null> {
    return this.#inTurn(async () => this.outbox.next(after));
  }

  hasBacklog(): Promise<boolean> {
    return this.#inTurn(async () => [...this.events.values()].some((row) => !row.decision));
  }

  /** Writes so that it can be undone. */
  override put<K, V>(rows: Rows<K, V>, key: K, value: V): void {
    const before = rows.get(key);
    this.#undo.push(() => (before === undefined ? rows.delete(key) : rows.set(key, before)));
    super.put(rows, key, value);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work, work);
    this.#last = mine.catch(() => {});
    return mine;
  }

  async #run<T>(work: (tx: Tx) => Promise<T>, { fate, turns }: Process): Promise<T> {
    this.#undo = [];
    this.#deeds = [];
    let result: T;
    const end = fate();
    try {
      result = await work(this.tx(turns));
      if (end === 'lost_before') throw new Lost('the process died before its commit');
    } catch (error) {
      for (const undo of this.#undo.reverse()) undo();
      throw error;
    }
    for (const deed of this.#deeds) this.watch(deed);
    if (end === 'lost_after') throw new Lost('the process died after its commit');
    return result;
  }

  protected override tx(turns = this.#turns): Tx {
    const tx = super.tx();
    return {
      ...tx,
      configurations: async (ids) => {
        const own = new Map([[this.configuration.organization_id, this.configuration]]);
        return new Map([...ids].map((id) => [id, configurationIn(own, id)]));
      },
      lockIntegrations: async () => {},
      withBacklog: async (keys) => {
        const ids = keys.map((key) => key.integration_id);
        return new Set(ids.filter((id) => this.#undecided(id).length > 0));
      },
      backlog: async (limit) => {
        const waiting = [...this.events.values()].filter(({ decision }) => !decision);
        const events = waiting.map(({ event }) => event).sort(byArrival);
        return nextOf(turns, events).slice(0, limit);
      },
      insertEvents: async (fates) => {
        for (const { event, decision } of fates)
          this.put(this.events, event.id, { event, decision, times: 1 });
        const events = fates.filter((one) => one.decision).map((one) => one.event);
        this.#deeds.push({ type: 'decided', events });
      },
      settleEvents: async (fates) => {
        for (const { event, decision } of fates) this.#change(event.id, () => ({ decision }));
      },
      countStorm: async (counts) => {
        for (const [id, counted] of counts)
          this.#change(id, ({ times }) => ({ times: times + counted.times }));
      },
      save: async (changes, now) => {
        this.#deeds.push({ type: 'saved', changes, now });
        return tx.save(changes, now);
      },
      claim: async (request, judge) => {
        const cancelled: Claimed[] = [];
        const claimed = await tx.claim(request, (notice, limitReached) => {
          const verdict = judge(notice, limitReached);
          if (verdict && 'reason' in verdict) cancelled.push(notice);
          return verdict;
        });
        this.#deeds.push({ type: 'claimed', claimed, cancelled, now: request.now });
        return claimed;
      },
      dueWatches: async (now, limit) => dueWatchesIn(this, now, limit),
      tellOfEvent: async () => {},
      putOffWatch: async ({ id }, { now }) => putOffWatchIn(this, id, now),
      saveShifts: async (changes, now) => {
        this.#deeds.push({ type: 'watched', changes });
        return saveShiftsIn(this, changes, now);
      },
      finish: async (attempts) => {
        const failed = await tx.finish(attempts);
        this.#deeds.push({ type: 'finished', attempts });
        return failed;
      },
    };
  }

  #undecided(id: string): EventRow[] {
    return [...this.events.values()].filter(
      (row) => !row.decision && row.event.integration_id === id,
    );
  }

  #change(id: string, change: (row: EventRow) => Partial<EventRow>): void {
    const row = this.events.get(id);
    if (row) this.put(this.events, id, { ...row, ...change(row) });
  }
}

/** Those of the integration whose turn it is. */
function nextOf(turns: Turns, events: readonly StoredEvent[]): readonly StoredEvent[] {
  const organizations = events.map((event) => event.organization_id);
  const organizationId = nextAfter(organizations, turns.organization);
  if (organizationId === undefined) return [];
  const own = events.filter((event) => event.organization_id === organizationId);
  const integrations = own.map((event) => event.integration_id);
  const integrationId = nextAfter(integrations, turns.integrationOf(organizationId)) ?? null;
  turns.passed(organizationId, integrationId);
  return own.filter((event) => event.integration_id === integrationId);
}

function nextAfter(ids: readonly string[], last: string): string | undefined {
  const sorted = [...ids].sort();
  return sorted.find((id) => id > last) ?? sorted[0];
}

const earliest = (instants: readonly (Temporal.Instant | null)[]): Temporal.Instant | null =>
  instants.filter((one) => one !== null).sort(Temporal.Instant.compare)[0] ?? null;

const byArrival = (a: StoredEvent, b: StoredEvent) =>
  Temporal.Instant.compare(a.received_at, b.received_at) || (a.id < b.id ? -1 : 1);
