type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/** Answers each item at its place. */
type SendTogether<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

type BatchesMax = { readonly size: () => number; readonly atOnce: number };

/** Sends what waits at the same time together, in a few requests of limited size. */
export class Batches<Item, Result> {
  readonly #send: SendTogether<Item, Result>;
  readonly #max: BatchesMax;
  readonly #waiting: Waiting<Item, Result>[] = [];
  #underWay = 0;

  constructor(send: SendTogether<Item, Result>, max: BatchesMax) {
    this.#send = send;
    this.#max = max;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      // What is added in the same turn of the event loop goes with it.
      setImmediate(() => this.#sendNext());
    });
  }

  async #sendNext(): Promise<void> {
    if (this.#waiting.length === 0 || this.#underWay === this.#max.atOnce) return;
    const batch = this.#waiting.splice(0, this.#max.size());
    this.#underWay += 1;
    try {
      const results = await this.#send(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#underWay -= 1;
      void this.#sendNext();
    }
  }
}
