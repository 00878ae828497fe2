import { openWrites } from '../api/open-writes.ts';
import { useStore } from '../api/use-store.ts';
import { words } from './words.ts';

/** Beside a button whose write has no answer yet. */
export const TriedAgain = () =>
  useStore(openWrites).some(({ isTriedAgain, isLeft }) => isTriedAgain && !isLeft) && (
    <p role="status" className="font-medium">
      {words.triedAgain}
    </p>
  );
