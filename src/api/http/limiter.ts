import type { Clock } from '../../engine/clock.ts';
import { memoryLimits } from '../../limits/memory.ts';

/**
 * How often something may be tried per key: so many times in a window that begins with the first
 * try. Kept in this process only; each server of several counts for itself.
 */
export type Limiter = {
  /** Seconds to wait; 0 if this try may go on, and then it is counted. */
  take(key: string): number;
};

type Limits = {
  readonly clock: Clock;
  readonly tries: number;
  readonly seconds: number;
  /** Beyond so many keys the oldest windows are forgotten. */
  readonly keysMax?: number;
};

type Window = { readonly endsAt: number; tries: number };

export function createLimiter({
  clock,
  tries,
  seconds,
  keysMax = memoryLimits.signIns,
}: Limits): Limiter {
  const windows = new Map<string, Window>();
  return {
    take(key) {
      const now = clock.now().epochMilliseconds;
      const known = windows.get(key);
      if (known && known.endsAt > now) {
        if (known.tries >= tries) return Math.ceil((known.endsAt - now) / 1000);
        known.tries += 1;
        return 0;
      }
      // A map keeps the order of insertion, and all windows are of one length: the first is oldest.
      windows.delete(key);
      const oldest = windows.keys().next();
      if (windows.size >= keysMax && !oldest.done) windows.delete(oldest.value);
      windows.set(key, { endsAt: now + seconds * 1000, tries: 1 });
      return 0;
    },
  };
}
