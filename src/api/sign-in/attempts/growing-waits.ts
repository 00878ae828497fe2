import type { Clock } from '../../../engine/clock.ts';
import { memoryLimits } from '../../../limits/memory.ts';

/** Waits after failures, a key: none at first, then each twice as long as the one before. */
export type GrowingWaits = {
  /** Seconds until the next try; 0: now. */
  waitOf(key: string): number;
  /** Before a try, so that many at once are many. */
  count(key: string): void;
  forget(key: string): void;
};

type Waits = {
  readonly clock: Clock;
  /** Tries without a wait. */
  readonly free: number;
  readonly firstSeconds: number;
  readonly maxSeconds: number;
  /** Beyond so many keys the one that was tried longest ago is forgotten. */
  readonly keysMax?: number;
};

type Tried = { readonly tries: number; readonly nextAt: number; readonly forgetAt: number };

/** Longer than any wait: after so long without a try, a key starts anew. */
const FORGET_MS = 3_600_000;

export function createGrowingWaits(waits: Waits): GrowingWaits {
  const { clock, free, firstSeconds, maxSeconds, keysMax = memoryLimits.signIns } = waits;
  const keys = new Map<string, Tried>();
  const known = (key: string, now: number) => {
    const tried = keys.get(key);
    return tried && tried.forgetAt > now ? tried : undefined;
  };
  return {
    waitOf(key) {
      const now = clock.now().epochMilliseconds;
      return Math.max(0, Math.ceil(((known(key, now)?.nextAt ?? 0) - now) / 1_000));
    },
    count(key) {
      const now = clock.now().epochMilliseconds;
      const tries = (known(key, now)?.tries ?? 0) + 1;
      const seconds = tries < free ? 0 : Math.min(maxSeconds, firstSeconds * 2 ** (tries - free));
      // A map keeps the order of insertion: the first was tried longest ago.
      keys.delete(key);
      const [oldest] = keys.keys();
      if (keys.size >= keysMax && oldest !== undefined) keys.delete(oldest);
      keys.set(key, { tries, nextAt: now + seconds * 1_000, forgetAt: now + FORGET_MS });
    },
    forget: (key) => void keys.delete(key),
  };
}
