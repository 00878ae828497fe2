import { memoryLimits } from '../../limits/memory.ts';

const MILLISECONDS = 1_000;

export type RateLimitOptions = {
  readonly perSecond: number;
  /** How much may be used at once after a pause. */
  readonly burst: number;
  /** How long a caller may be made to wait instead of being refused; not at all when absent. */
  readonly patienceMs?: number;
};

type Bucket = { readonly tokens: number; readonly atMs: number };

/**
 * Token buckets, one a key: requests take 1, bodies their bytes. A bucket is below zero while
 * those who were let in wait for it to fill.
 */
export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: RateLimitOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** For how many milliseconds this much must wait; null: for too long, and it is not counted. */
  enter(key: string, amount: number, nowMs: number): number | null {
    const { patienceMs = 0 } = this.#options;
    const waitMs = this.#waitMs(key, amount, nowMs);
    if (waitMs > patienceMs) return null;
    this.count(key, amount, nowMs);
    return waitMs;
  }

  /** Seconds to wait before the next request is let through; 0: this one is, and is counted. */
  take(key: string, now: Temporal.Instant): number {
    const nowMs = now.epochMilliseconds;
    if (this.enter(key, 1, nowMs) !== null) return 0;
    return Math.max(1, Math.ceil(this.#waitMs(key, 1, nowMs) / MILLISECONDS));
  }

  /** Counts what was used already: the next of this key waits for it. */
  count(key: string, amount: number, nowMs: number): void {
    this.#forgetFull(key, nowMs);
    this.#buckets.set(key, { tokens: this.#tokens(key, nowMs) - amount, atMs: nowMs });
  }

  #waitMs(key: string, amount: number, nowMs: number): number {
    const missing = amount - this.#tokens(key, nowMs);
    return Math.max(0, (missing / this.#options.perSecond) * MILLISECONDS);
  }

  #tokens(key: string, nowMs: number): number {
    const { perSecond, burst } = this.#options;
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return burst;
    // A clock that goes back must not take tokens away.
    const seconds = Math.max(0, nowMs - bucket.atMs) / MILLISECONDS;
    return Math.min(burst, bucket.tokens + seconds * perSecond);
  }

  #forgetFull(key: string, nowMs: number): void {
    if (this.#buckets.size < memoryLimits.callers || this.#buckets.has(key)) return;
    for (const each of this.#buckets.keys())
      if (this.#tokens(each, nowMs) >= this.#options.burst) this.#buckets.delete(each);
  }
}

/** For what strangers could have done as often as they like: whether it is time again. */
export function atMostEvery(ms: number): () => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const isTime = performance.now() - last >= ms;
    if (isTime) last = performance.now();
    return isTime;
  };
}
