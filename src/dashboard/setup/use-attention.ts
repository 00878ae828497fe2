import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { sessionQuery } from '../api/queries.ts';
import type { Attention } from './attention.ts';
import { attentionQuery } from './queries.ts';

/** A list that is there waits so long for what stands above it. */
const PATIENCE_MS = 1_000;

type Place = {
  /** Of whose teams. */
  readonly team: string | undefined;
  readonly isWanted: boolean;
  /** The list is there, to be shown below. */
  readonly isListThere: boolean;
  /** Somebody is at the list: nothing may move it. */
  readonly isHeld: boolean;
};

/** What stands above the list, and whether the list should wait for it: later, it moves the list once. */
export function useAttention({ team, isWanted, isListThere, isHeld }: Place) {
  const isSignedIn = useQuery(sessionQuery).data !== undefined;
  const { data, isPending } = useQuery({
    ...attentionQuery(team),
    enabled: isWanted && isSignedIn,
  });
  const isWaiting = isWanted && isPending;
  const isOver = useIsOver(isWaiting && isListThere);
  const shown = useRef<Attention | undefined>(undefined);
  if (!isHeld) shown.current = data;
  // What is left to set up may stand below the list, where it moves nothing.
  const attention = shown.current && { ...shown.current, setup: (data ?? shown.current).setup };
  return { attention: isWanted ? attention : undefined, isAwaited: isWaiting && !isOver };
}

/** Once the wait took too long; for as long as the page is open. */
function useIsOver(isWaiting: boolean): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setOver(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isOver;
}
