import { useSyncExternalStore } from 'react';

const narrow = matchMedia('(width < 48rem)');

/** Where lanes would not be readable. */
export const useIsNarrow = () => useSyncExternalStore(subscribe, () => narrow.matches);

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}
