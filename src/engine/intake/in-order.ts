/** Results of each key, taken in the order in which they were asked for. */
export class InOrder {
  readonly #last = new Map<string, Promise<void>>();
  #idle: (() => void)[] = [];

  /** Whether results of the key are still to be taken. */
  has(key: string): boolean {
    return this.#last.has(key);
  }

  /** Takes the result once those before it were taken, or have failed. */
  async take<Result>(
    key: string,
    result: Result | Promise<Result>,
    take: (result: Result) => void,
  ): Promise<void> {
    const before = this.#last.get(key);
    const taken = (async () => {
      const [one] = await Promise.allSettled([result, before]);
      if (one.status === 'rejected') throw one.reason;
      take(one.value);
    })();
    const settled = taken.catch(() => {});
    this.#last.set(key, settled);
    try {
      await taken;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
      if (this.#last.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  /** Resolves when all were taken. */
  async drained(): Promise<void> {
    if (this.#last.size === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }
}
