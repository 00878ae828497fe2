import { memoryLimits } from '../../limits/memory.ts';

/** Token buckets, one a key: `burst` at once, then `perSecond`. */
export type RateLimit = {
  /** Seconds to wait before the next request is let through; 0: this one is. */
  take(key: string, now: Temporal.Instant): number;
  readonly size: number;
};

type Bucket = { tokens: number; at: number };

export function createRateLimit(limits: { perSecond: number; burst: number }): RateLimit {
  const { perSecond, burst } = limits;
  const buckets = new Map<string, Bucket>();

  function filled(bucket: Bucket, at: number): number {
    // A clock that goes back must not take tokens away.
    const seconds = Math.max(0, at - bucket.at) / 1_000;
    return Math.min(burst, bucket.tokens + seconds * perSecond);
  }

  return {
    get size() {
      return buckets.size;
    },
    take(key, now) {
      const at = now.epochMilliseconds;
      if (buckets.size >= memoryLimits.callers && !buckets.has(key))
        for (const [each, bucket] of buckets) if (filled(bucket, at) >= burst) buckets.delete(each);
      const bucket = buckets.get(key);
      const tokens = bucket === undefined ? burst : filled(bucket, at);
      buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at });
      return tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - tokens) / perSecond));
    },
  };
}
