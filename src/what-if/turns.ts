/** How much is done before others get their turn. */
const stepsAtOnce = 50;

/** Lets others go on now and then: the server is theirs too. */
export class Turns {
  #steps = 0;

  async next(): Promise<void> {
    this.#steps += 1;
    if (this.#steps % stepsAtOnce === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}
