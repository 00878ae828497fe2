import { useSyncExternalStore } from 'react';
import type { Store } from './store.ts';

/** Apart from the stores: what is read ahead uses some of them, and comes before React. */
export const useStore = <Value>({ subscribe, get }: Store<Value>): Value =>
  useSyncExternalStore(subscribe, get);
