// Without a session there is nothing to show: back to signing in, unless that would lose what is
// typed. Then the page stays, says so, and goes on once somebody has signed in beside it.
import { useSyncExternalStore } from 'react';
import { hasDraft } from '../ui/drafts.ts';

let isSignedOut = false;
const listeners = new Set<() => void>();

export function signedOut(): void {
  if (!hasDraft()) {
    const next = `${location.pathname}${location.search}`;
    location.assign(`/sign-in?${new URLSearchParams({ next })}`);
  } else set(true);
}

export const signedInAgain = (): void => set(false);

export const useSignedOut = (): boolean => useSyncExternalStore(subscribe, () => isSignedOut);

function set(next: boolean): void {
  isSignedOut = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
