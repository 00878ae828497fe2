/** Lets at most so many works run at once; the others wait, first come first served. */
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
    // Whoever leaves hands its place on, so that nobody slips in between.
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
