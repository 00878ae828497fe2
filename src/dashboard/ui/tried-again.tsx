import { useOpenWrites } from '../api/open-writes.ts';
import { words } from './words.ts';

/** Beside a button whose write has no answer yet. */
export const TriedAgain = () =>
  useOpenWrites().some(({ isTriedAgain, isLeft }) => isTriedAgain && !isLeft) && (
    <p role="status" className="font-medium">
      {words.triedAgain}
    </p>
  );
