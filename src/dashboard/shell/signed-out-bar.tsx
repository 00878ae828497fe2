import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { forgetUnsaved } from '../api/open-writes.ts';
import { pager } from '../api/pager.ts';
import { sessionQuery } from '../api/queries.ts';
import { isSignedOut, signedInAgain } from '../api/signed-out.ts';
import { useStore } from '../api/use-store.ts';
import { words } from './words.ts';

/** What is typed is for whoever typed it: somebody else begins anew. */
export function SignedOutBar() {
  const isOut = useStore(isSignedOut);
  const queries = useQueryClient();
  const userId = useQuery(sessionQuery).data?.user.id;
  const own = useRef(userId);
  own.current ??= userId;
  useEffect(() => {
    if (userId !== undefined && userId !== own.current) beginAnew();
  }, [userId]);
  useEffect(() => {
    if (!isOut) return;
    const readSession = async () => {
      const session = await pager.session();
      if (!session.ok) return;
      if (session.value.user.id !== own.current) return beginAnew();
      signedInAgain();
      void queries.invalidateQueries();
    };
    const onFocus = () => void readSession();
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [isOut, queries]);
  if (!isOut) return null;
  return (
    <p role="alert" className="sticky top-0 z-30 bg-amber-tint px-4 py-2 font-medium md:px-5">
      {words.signedOut}{' '}
      <a href="/sign-in" target="_blank" rel="noopener" className="underline">
        {words.signInBeside}
      </a>
    </p>
  );
}

function beginAnew(): void {
  forgetUnsaved();
  location.reload();
}
