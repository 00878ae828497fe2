// How a vendor limits calls: by name, some at once, and after them one whenever a token is due.

type Limit = {
  readonly perSecond: number;
  readonly burst: number;
  readonly now: () => Temporal.Instant;
};

type Bucket = { tokens: number; at: Temporal.Instant };

export class TokenBuckets {
  readonly #limit: Limit;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: Limit) {
    this.#limit = limit;
  }

  /** After how many whole seconds it may be taken; 0: it is. */
  take(name: string): number {
    const { perSecond, burst, now } = this.#limit;
    const at = now();
    const before = this.#buckets.get(name) ?? { tokens: burst, at };
    const seconds = Math.max(0, at.epochMilliseconds - before.at.epochMilliseconds) / 1_000;
    const tokens = Math.min(burst, before.tokens + seconds * perSecond);
    const isTaken = tokens >= 1;
    this.#buckets.set(name, { tokens: isTaken ? tokens - 1 : tokens, at });
    return isTaken ? 0 : Math.ceil((1 - tokens) / perSecond);
  }
}
