import { useBlocker } from '@tanstack/react-router';
import { hasDraft, hasUnsentDraft } from '../ui/drafts.ts';
import { isLeft } from './leaving.ts';
import { LeaveQuestion } from './popup-slots.tsx';

type Way = Parameters<typeof isLeft>;

const wouldLose = ({ current, next }: { current: Way[0]; next: Way[1] }) =>
  isLeft(current, next) && hasUnsentDraft();

/** Nobody loses what they have typed to a link, a key, or the way back. */
export function DraftGuard() {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: wouldLose,
    enableBeforeUnload: hasDraft,
    withResolver: true,
  });
  return (
    <LeaveQuestion
      isOpen={status === 'blocked'}
      onLeave={() => proceed?.()}
      onStay={() => reset?.()}
    />
  );
}
