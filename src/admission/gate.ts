/** Runs at most that many functions at once; the others wait in order of arrival. */
export class Gate {
  readonly #atOnceMax: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(atOnceMax: number) {
    this.#atOnceMax = atOnceMax;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    // Work that ends hands its turn to the next, so that no newcomer overtakes it.
    if (this.#running < this.#atOnceMax) this.#running += 1;
    else await new Promise<void>((enter) => this.#waiting.push(enter));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
