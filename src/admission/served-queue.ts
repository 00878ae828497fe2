import { createFairQueue } from './fair-queue.ts';

/** Items taken together. No more items with their keys are taken until `done`. */
export type ServedBatch<T> = {
  readonly items: readonly T[];
  /** The weight of everything that waited when these were taken. */
  readonly totalWeight: number;
  done(): void;
};

/** A fair queue in which the items of one key are served by one batch at a time. */
export class ServedQueue<T> {
  readonly #queue;
  readonly #keyOf: (item: T) => string;
  readonly #served = new Set<string>();
  #waiting: (() => void)[] = [];

  constructor(keyOf: (item: T) => string, weightOf?: (item: T) => number) {
    this.#queue = createFairQueue<T>(weightOf);
    this.#keyOf = keyOf;
  }

  get size(): number {
    return this.#queue.size;
  }

  push(item: T): void {
    this.#queue.push(this.#keyOf(item), item);
  }

  /** The batch is empty when every key that has items is being served. */
  takeNow(limit: number): ServedBatch<T> {
    const totalWeight = this.#queue.weight;
    const items = this.#queue.take(limit, this.#served);
    const keys = new Set(items.map(this.#keyOf));
    for (const key of keys) this.#served.add(key);
    let isDone = false;
    const done = () => {
      if (isDone) return;
      isDone = true;
      for (const key of keys) this.#served.delete(key);
      for (const resolve of this.#waiting.splice(0)) resolve();
    };
    return { items, totalWeight, done };
  }

  /** Waits while every key that has items is being served; the batch is empty when the queue is. */
  async take(limit: number): Promise<ServedBatch<T>> {
    for (;;) {
      const batch = this.takeNow(limit);
      if (batch.items.length > 0 || this.#queue.size === 0) return batch;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}
