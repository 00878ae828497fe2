import { Gate } from './gate.ts';

type Used = { readonly gate: Gate; passing: number };

/** A gate for each key, such as an organization, while something passes or waits for it. */
export class Gates {
  readonly #atOnceMax: number;
  readonly #used = new Map<string, Used>();

  constructor(atOnceMax: number) {
    this.#atOnceMax = atOnceMax;
  }

  async pass<T>(key: string, work: () => Promise<T>): Promise<T> {
    const used = this.#used.get(key) ?? { gate: new Gate(this.#atOnceMax), passing: 0 };
    this.#used.set(key, used);
    used.passing += 1;
    try {
      return await used.gate.pass(work);
    } finally {
      used.passing -= 1;
      if (used.passing === 0) this.#used.delete(key);
    }
  }
}
