import { createFairQueue } from './fair-queue.ts';

/** Items taken together. Their lines are being served, and give nothing more, until `done`. */
export type Serving<T> = {
  readonly items: readonly T[];
  /** What all that waited weighed when these were taken. */
  readonly outOf: number;
  done(): void;
};

/** A fair queue whose lines are each served by one at a time. */
export class ServedQueue<T> {
  readonly #queue;
  readonly #lineOf: (item: T) => string;
  readonly #served = new Set<string>();
  #waiting: (() => void)[] = [];

  constructor(lineOf: (item: T) => string, weightOf?: (item: T) => number) {
    this.#queue = createFairQueue<T>(weightOf);
    this.#lineOf = lineOf;
  }

  get size(): number {
    return this.#queue.size;
  }

  push(item: T): void {
    this.#queue.push(this.#lineOf(item), item);
  }

  /** What can be served now; perhaps nothing. */
  takeNow(limit: number): Serving<T> {
    const outOf = this.#queue.weight;
    const items = this.#queue.take(limit, this.#served);
    const lines = new Set(items.map(this.#lineOf));
    for (const line of lines) this.#served.add(line);
    let isDone = false;
    const done = () => {
      if (isDone) return;
      isDone = true;
      for (const line of lines) this.#served.delete(line);
      for (const resolve of this.#waiting.splice(0)) resolve();
    };
    return { items, outOf, done };
  }

  /** Waits for somebody to be done while all that waits is being served; nothing: it is empty. */
  async take(limit: number): Promise<Serving<T>> {
    for (;;) {
      const serving = this.takeNow(limit);
      if (serving.items.length > 0 || this.#queue.size === 0) return serving;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}
