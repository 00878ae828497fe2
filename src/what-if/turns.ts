/** Lets others go on now and then: the server is theirs too. */
export class Turns {
  readonly #stepsAtOnce: number;
  #steps = 0;

  constructor(stepsAtOnce: number) {
    this.#stepsAtOnce = stepsAtOnce;
  }

  async next(): Promise<void> {
    this.#steps += 1;
    if (this.#steps % this.#stepsAtOnce === 0)
      await new Promise((resolve) => setImmediate(resolve));
  }
}
