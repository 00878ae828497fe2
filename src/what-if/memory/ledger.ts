// The engine's ledger in memory, for stories that only may happen: incidents, timelines and notices.
// Events are not stored, and no schedule is watched. test/contracts proves that what it does means
// the same as on PostgreSQL.
import { type Changes, keyText, type Ledger, type Tx } from '../../engine/ledger.ts';
import type { Standing } from '../../incidents/actions/ruled.ts';
import type { Receiver } from '../../incidents/arrival/receiver.ts';
import type { Directory } from '../../incidents/directory.ts';
import { type Incident, isOpen, wakeAt } from '../../incidents/incident.ts';
import { textOf } from '../../resources/declaration/sealed.ts';
import { endOf, knownIn } from './known.ts';
import {
  claimIn,
  finishIn,
  groupsOfNotice,
  insertAllClear,
  insertNotices,
  type NoticeRow,
  pagedStepsIn,
} from './outbox.ts';
import { Table } from './table.ts';

export type EntryRow = Changes['entries'][number] & { readonly at: Temporal.Instant };

/** What it answers to whoever asks how things are: the same at all times. */
export type Given = {
  readonly receivers: ReadonlyMap<string, Receiver>;
  readonly directory: Directory;
  /** What teams decided beforehand, and what that points to. */
  readonly standing: Standing;
  /** The same text for the same receiver; by address when absent. */
  readonly receiverOf?: (addressed: Addressed) => string;
};
type Addressed = Pick<NoticeRow['intent'], 'organization_id' | 'channel' | 'address'>;

/** A map, or something like it, that is written to row by row. */
export type Rows<K, V> = {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
  delete(key: K): unknown;
};

export class MemoryLedger implements Ledger {
  readonly given: Given;
  readonly incidents = new Table<Incident>({ groupsOf, wakeAt });
  readonly timeline = new Map<number, EntryRow>();
  readonly outbox = new Table<NoticeRow>({ groupsOf: groupsOfNotice, wakeAt: (row) => row.wakeAt });
  readonly counters = new Map<string, number>();

  constructor(given: Given) {
    this.given = given;
  }

  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return work(this.tx());
  }

  async nextIncident(): Promise<Temporal.Instant | null> {
    return this.incidents.next();
  }

  async nextWatch(): Promise<Temporal.Instant | null> {
    return null;
  }

  async nextNotice(after?: Temporal.Instant): Promise<Temporal.Instant | null> {
    return this.outbox.next(after);
  }

  async hasBacklog(): Promise<boolean> {
    return false;
  }

  receiverOf({ organization_id, channel, address }: Addressed): string {
    const known = this.given.receiverOf?.({ organization_id, channel, address });
    return known ?? `${channel} ${textOf(address)}`;
  }

  /** The one way in which rows are written. */
  put<K, V>(rows: Rows<K, V>, key: K, value: V): void {
    rows.set(key, value);
  }

  say(entries: Changes['entries'], at: Temporal.Instant): void {
    for (const entry of entries) this.put(this.timeline, this.timeline.size, { ...entry, at });
  }

  protected tx(): Tx {
    const { standing } = this.given;
    return {
      receivers: async (keys) =>
        pick(
          this.given.receivers,
          keys.map((key) => key.integration_id),
        ),
      withBacklog: async () => new Set(),
      backlog: async () => [],
      known: async (keys) => knownIn(this.incidents, keys),
      books: async (teams) =>
        pick(
          standing.books,
          teams.map(({ team_id }) => team_id),
        ),
      targets: async () => standing.targets,
      directory: async () => this.given.directory,
      insertEvents: async () => {},
      settleEvents: async () => {},
      countStorm: async () => {},
      dueIncidents: async (now, limit) => this.incidents.due(now).slice(0, limit),
      lockIncidents: async (_organization, ids) =>
        [...ids].sort().flatMap((id) => this.incidents.get(id) ?? []),
      anotherIsOpen: async (incident) =>
        this.incidents
          .inGroup(keyOfIncident(incident))
          .map((one) => endOf(one, this.incidents))
          .some((one) => one.id !== incident.id && isOpen(one)),
      save: async (changes, now) => this.save(changes, now),
      claim: async (request, judge) => claimIn(this, request, judge),
      dueWatches: async () => [],
      audience: async () => nobody,
      saveShifts: async () => 0,
      finish: async (attempts) => finishIn(this, attempts),
      pagedSteps: async (incident) => pagedStepsIn(this, incident),
    };
  }

  protected save(changes: Changes, now: Temporal.Instant): ReadonlyMap<string, number> {
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
    return numbers;
  }
}

export const nobody = {
  ...{ people: new Map(), organizations: new Map(), schedules: new Map(), webhooks: new Map() },
  channels: new Set<string>(),
};

const keyOfIncident = (incident: Incident): string =>
  keyText({ ...incident, integration_id: incident.source_integration_id });

/** Incidents are found by their key, and by what they were merged into. */
const groupsOf = (incident: Incident): readonly string[] =>
  [keyOfIncident(incident), incident.merged_into_id].filter((group) => group !== null);

function pick<V>(map: ReadonlyMap<string, V>, ids: readonly string[]): Map<string, V> {
  return new Map(
    ids.flatMap((id) => {
      const value = map.get(id);
      return value === undefined ? [] : [[id, value] as const];
    }),
  );
}
