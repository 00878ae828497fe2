import { isDue } from '../../incidents/incident.ts';

/** At the same instant, in the order of keys, so that results are reproducible. */
function isSooner(a: Timer, b: Timer): boolean {
  if (a.ms !== b.ms) return a.ms < b.ms;
  const order = Temporal.Instant.compare(a.at, b.at);
  return order === 0 ? a.key < b.key : order < 0;
}

type Timer = {
  readonly key: string;
  readonly at: Temporal.Instant;
  /** The same in milliseconds: instants take long to compare. */
  readonly ms: number;
};

/**
 * When the timer of each key is due: a binary heap. An entry whose key was set anew stays in it and
 * is skipped when its turn comes.
 */
export class Timers {
  readonly #current = new Map<string, Timer>();
  readonly #heap: Timer[] = [];

  /** Null removes the timer. */
  set(key: string, at: Temporal.Instant | null): void {
    if (at === null) {
      this.#current.delete(key);
      return;
    }
    if (this.#current.get(key)?.at.equals(at)) return;
    const timer = { key, at, ms: at.epochMilliseconds };
    this.#current.set(key, timer);
    this.#push(timer);
  }

  keys(): Iterable<string> {
    return this.#current.keys();
  }

  next(after?: Temporal.Instant): Temporal.Instant | null {
    if (after === undefined) return this.#first()?.at ?? null;
    const due = this.#popped(after);
    const next = this.#first()?.at ?? null;
    for (const timer of due) this.#push(timer);
    return next;
  }

  /** The keys that are due by then, the longest overdue first. */
  due(now: Temporal.Instant): readonly string[] {
    const due = this.#popped(now);
    for (const timer of due) this.#push(timer);
    return due.map(({ key }) => key);
  }

  #popped(now: Temporal.Instant): readonly Timer[] {
    const due: Timer[] = [];
    for (let first = this.#first(); first && isDue(first.at, now); first = this.#first()) {
      due.push(first);
      this.#pop();
    }
    return due;
  }

  #first(): Timer | undefined {
    for (;;) {
      const [first] = this.#heap;
      if (!first || this.#current.get(first.key) === first) return first;
      this.#pop();
    }
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let index = heap.push(timer) - 1;
    while (index > 0) {
      const parent = Math.floor((index - 1) / 2);
      if (!this.#isBefore(index, parent)) return;
      this.#swap(index, parent);
      index = parent;
    }
  }

  #pop(): void {
    const heap = this.#heap;
    this.#swap(0, heap.length - 1);
    heap.pop();
    for (let index = 0; ; ) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      const smaller = this.#isBefore(right, left) ? right : left;
      if (!this.#isBefore(smaller, index)) return;
      this.#swap(index, smaller);
      index = smaller;
    }
  }

  /** False for an index outside of the heap. */
  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    return a !== undefined && b !== undefined && isSooner(a, b);
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (a === undefined || b === undefined) return;
    this.#heap[one] = b;
    this.#heap[other] = a;
  }
}
