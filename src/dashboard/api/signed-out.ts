// Without a session there is nothing to show: back to signing in, unless that would lose what is
// typed. Then the page stays, says so, and goes on once somebody has signed in beside it.
import { hasDraft } from '../ui/drafts.ts';
import { createStore } from './store.ts';

export const isSignedOut = createStore(false);

export function signedOut(): void {
  if (!hasDraft()) {
    const next = `${location.pathname}${location.search}`;
    location.assign(`/sign-in?${new URLSearchParams({ next })}`);
  } else isSignedOut.set(true);
}

export const signedInAgain = (): void => isSignedOut.set(false);
