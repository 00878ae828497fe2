import { useSyncExternalStore } from 'react';

const narrow = matchMedia('(width < 48rem)');

/** A phone's width, as `md:` has it in styles. */
export const useIsNarrow = () => useSyncExternalStore(subscribe, () => narrow.matches);

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}
