import { useEffect, useState } from 'react';

/** Safari has no requestIdleCallback. */
export const whenIdle =
  globalThis.requestIdleCallback ?? ((done: () => void) => setTimeout(done, 200));

/** Whether the browser had nothing else to do since then; by default since this was shown. */
export function useIsIdle(since = true): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    if (since) whenIdle(() => setIdle(true));
  }, [since]);
  return isIdle;
}
