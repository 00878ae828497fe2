// Transactions on rows in memory, several at once, as PostgreSQL runs them: each sees what is
// committed and what it wrote itself, whoever needs a row that another holds waits, and of two that
// wait for each other one is undone and begins again. Luck decides who goes on, call by call.
import assert from 'node:assert/strict';
import type { Rows } from '../../src/what-if/memory/table.ts';
import type { Luck } from './luck.ts';

const conflictsMax = 5;
export class Conflict extends Error {}

type Write = { readonly redo: () => void; readonly undo: () => void };

/** A row, as locks name it: its table and its key. */
export type Lock = string;
export type Need = { readonly lock: Lock; readonly shared?: boolean };

export class Transaction {
  #writes: Write[] = [];
  readonly held = new Map<Lock, 'shared' | 'own'>();

  write<K, V>(rows: Rows<K, V>, key: K, value: V): void {
    const before = rows.get(key);
    const undo = () => (before === undefined ? rows.delete(key) : rows.set(key, before));
    this.#writes.push({ undo, redo: () => rows.set(key, value) });
    rows.set(key, value);
  }

  enter(): void {
    for (const { redo } of this.#writes) redo();
  }

  leave(): void {
    for (const { undo } of this.#writes.toReversed()) undo();
  }

  /** What it answers with its own writes in sight. */
  seeing<T>(query: () => T): T {
    this.enter();
    try {
      return query();
    } finally {
      this.leave();
    }
  }

  /** What it wrote stays. */
  commit(): void {
    this.#writes = [];
  }

  /** What is changed here must have been locked before, or nobody else would wait for it. */
  mustHold(lock: Lock): void {
    assert.equal(this.held.get(lock), 'own', `${lock} is written and was not locked`);
  }
}

type Servable = { readonly step: Waiting; readonly needs: readonly Need[] };
type Waiting = {
  readonly of: Transaction;
  /** Seen again each time: what has to be locked depends on what was committed meanwhile. */
  readonly needs: (() => readonly Need[]) | null;
  readonly run: () => Promise<void>;
  readonly reject: (error: unknown) => void;
};

/** One question or one change: what it locks first, waiting, and what it does then. */
export type Step<T> = {
  readonly needs?: (() => readonly Need[]) | null;
  readonly work: () => Promise<T>;
};

export class Transactions {
  readonly #luck: Luck;
  readonly #open = new Set<Transaction>();
  #waiting: Waiting[] = [];
  #pumping: Promise<void> | null = null;

  constructor(luck: Luck) {
    this.#luck = luck;
  }

  /** The work in one transaction, which commits it; again from its start after a conflict. */
  async run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    for (let conflicts = 0; ; conflicts += 1) {
      const transaction = new Transaction();
      this.#open.add(transaction);
      try {
        return await work(transaction);
      } catch (error) {
        if (!(error instanceof Conflict) || conflicts === conflictsMax) throw error;
      } finally {
        this.#open.delete(transaction);
        transaction.held.clear();
      }
    }
  }

  /** One step of a transaction, when it is its turn and it has what it needs. */
  step<T>(of: Transaction, { needs = null, work }: Step<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const run = async () => {
        of.enter();
        try {
          resolve(await work());
        } catch (error) {
          reject(error);
        } finally {
          of.leave();
        }
      };
      this.#waiting.push({ of, needs, run, reject });
      this.#pumping ??= this.#pump();
    });
  }

  /** Whether it could be locked at once. */
  isFree({ lock, shared = false }: Need, by: Transaction): boolean {
    return [...this.#open].every((other) => {
      const held = other.held.get(lock);
      return other === by || held === undefined || (shared && held === 'shared');
    });
  }

  hold(of: Transaction, { lock, shared = false }: Need): void {
    if (of.held.get(lock) !== 'own') of.held.set(lock, shared ? 'shared' : 'own');
  }

  /** When nothing is under way any more. */
  async idle(): Promise<void> {
    do {
      await this.#pumping;
      await settle();
    } while (this.#pumping !== null);
  }

  async #pump(): Promise<void> {
    await settle();
    while (this.#waiting.length > 0) {
      const next = this.#next();
      if (next === null) this.#giveUpOne();
      else await this.#serve(next);
      await settle();
    }
    this.#pumping = null;
  }

  async #serve({ step, needs }: Servable): Promise<void> {
    this.#waiting.splice(this.#waiting.indexOf(step), 1);
    for (const need of needs) this.hold(step.of, need);
    await step.run();
  }

  /** The first step of a transaction whose locks are free; null when all wait for each other. */
  #next(): Servable | null {
    const firsts = new Map<Transaction, Waiting>();
    for (const one of this.#waiting) if (!firsts.has(one.of)) firsts.set(one.of, one);
    const free = [...firsts.values()].flatMap((step): Servable[] => {
      const needs = step.needs === null ? [] : step.of.seeing(step.needs);
      return needs.every((need) => this.isFree(need, step.of)) ? [{ step, needs }] : [];
    });
    return free.length === 0 ? null : this.#luck.of(free);
  }

  #giveUpOne(): void {
    const victim = this.#luck.of([...new Set(this.#waiting.map(({ of }) => of))]);
    const own = this.#waiting.filter(({ of }) => of === victim);
    this.#waiting = this.#waiting.filter(({ of }) => of !== victim);
    for (const { reject } of own) reject(new Conflict('deadlock detected'));
  }
}

/** A turn of the event loop: whatever follows from one call has asked for the next. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
