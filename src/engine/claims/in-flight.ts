// What waits for claimed work to end: the loop that claims, for room, and a server that stops, for the
// rest.

export class InFlight {
  readonly #count: () => number;
  #freed: () => void = () => {};
  #waiting: (() => void)[] = [];

  /** `count`: how much is in progress now. */
  constructor(count: () => number) {
    this.#count = count;
  }

  /** `freed` is called when there may be room for more. */
  onFreed(freed: () => void): void {
    this.#freed = freed;
  }

  /** There may be room for more, although nothing has ended yet. */
  freed(): void {
    this.#freed();
  }

  /** Called after each end. */
  ended(): void {
    this.#freed();
    if (this.#count() > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Resolves when nothing is in progress. */
  async idle(): Promise<void> {
    if (this.#count() > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
