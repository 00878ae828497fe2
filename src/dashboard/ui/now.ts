// One clock for all ages on a page and one for all countdowns, so that they change together.
import { useSyncExternalStore } from 'react';

function clockOf(everyMs: number) {
  const listeners = new Set<() => void>();
  let now = Date.now();
  let ticking: ReturnType<typeof setInterval> | undefined;
  const tick = () => {
    now = Date.now();
    for (const listener of listeners) listener();
  };
  const subscribe = (listener: () => void) => {
    if (listeners.size === 0) now = Date.now();
    listeners.add(listener);
    ticking ??= setInterval(tick, everyMs);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      clearInterval(ticking);
      ticking = undefined;
    };
  };
  return () => useSyncExternalStore(subscribe, () => now);
}

export const useNow = clockOf(10_000);
export const useSecond = clockOf(1_000);
