import { Timers } from './timers.ts';

/** How rows are found, beside their key. */
type Indexes<Row> = {
  readonly groupsOf: (row: Row) => readonly string[];
  /** When its timer is due; null: it has none. */
  readonly wakeAt: (row: Row) => Temporal.Instant | null;
};

/** Rows by key, in the order of insertion. */
export class Table<Row> {
  readonly #indexes: Indexes<Row>;
  readonly #rows = new Map<string, Row>();
  readonly #groups = new Map<string, Set<string>>();
  readonly #timers = new Timers();

  constructor(indexes: Indexes<Row>) {
    this.#indexes = indexes;
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key);
  }

  has(key: string): boolean {
    return this.#rows.has(key);
  }

  get size(): number {
    return this.#rows.size;
  }

  values(): Iterable<Row> {
    return this.#rows.values();
  }

  set(key: string, row: Row): void {
    const before = this.#groupsAt(key);
    this.#rows.set(key, row);
    const groups = this.#groupsAt(key);
    for (const group of groups.difference(before)) {
      const keys = this.#groups.get(group) ?? new Set();
      this.#groups.set(group, keys.add(key));
    }
    this.#leave(key, before.difference(groups));
    this.#timers.set(key, this.#indexes.wakeAt(row));
  }

  delete(key: string): void {
    this.#leave(key, this.#groupsAt(key));
    this.#rows.delete(key);
    this.#timers.set(key, null);
  }

  inGroup(group: string): readonly Row[] {
    return this.#all(this.#groups.get(group) ?? []);
  }

  /** The same with their keys. */
  groupEntries(group: string): readonly (readonly [string, Row])[] {
    return [...(this.#groups.get(group) ?? [])].flatMap((key) => {
      const row = this.#rows.get(key);
      return row === undefined ? [] : [[key, row] as const];
    });
  }

  /** The rows whose timers are due by then, the longest overdue first. */
  due(now: Temporal.Instant): readonly Row[] {
    return this.#all(this.#timers.due(now));
  }

  /** The rows that have a timer. */
  withTimers(): readonly Row[] {
    return this.#all(this.#timers.keys());
  }

  next(after?: Temporal.Instant): Temporal.Instant | null {
    return this.#timers.next(after);
  }

  #groupsAt(key: string): Set<string> {
    const row = this.#rows.get(key);
    return new Set(row === undefined ? [] : this.#indexes.groupsOf(row));
  }

  #leave(key: string, groups: Iterable<string>): void {
    for (const group of groups) this.#groups.get(group)?.delete(key);
  }

  #all(keys: Iterable<string>): readonly Row[] {
    return [...keys].flatMap((key) => {
      const row = this.#rows.get(key);
      return row === undefined ? [] : [row];
    });
  }
}

/** The part of a map that rows are written by. */
export type Rows<K, V> = {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
  delete(key: K): unknown;
};
