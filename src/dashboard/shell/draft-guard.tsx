import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { hasDraft, hasUnsentDraft } from '../ui/drafts.ts';
import { isLeft } from './leaving.ts';
import { LeaveQuestion } from './popup-slots.tsx';

type Answer = (isLeaving: boolean) => void;

/**
 * Nobody loses what they have typed to a link, a key, or the way back. Not by the router's own hook,
 * which is larger than this and would come later than the first word.
 */
export function DraftGuard() {
  const router = useRouter();
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(
    () =>
      router.history.block({
        enableBeforeUnload: hasDraft,
        async blockerFn({ currentLocation, nextLocation }) {
          const current = router.parseLocation(currentLocation);
          if (!isLeft(current, router.parseLocation(nextLocation)) || !hasUnsentDraft())
            return false;
          const { promise, resolve } = Promise.withResolvers<boolean>();
          setAnswer(() => resolve);
          const isLeaving = await promise;
          setAnswer(null);
          return !isLeaving;
        },
      }),
    [router],
  );
  return (
    <LeaveQuestion
      isOpen={answer !== null}
      onLeave={() => answer?.(true)}
      onStay={() => answer?.(false)}
    />
  );
}
