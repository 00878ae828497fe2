// Keeps what is shown up to date: by the stream, and by asking again where there is none.
import type { QueryClient } from '@tanstack/react-query';
import { type Change, staleAfter } from './hints.ts';
import { followChanges } from './stream.ts';

/** While the tab is visible. Also with a stream: one hint may be lost with a server that is killed. */
const POLL_MS = 15_000;
const POLL_LIVE_MS = 60_000;
/** Changes come together, and not all browsers ask at once. */
const GATHER_MS = 250;

let isLive = false;

export const pollMs = (): number => (isLive ? POLL_LIVE_MS : POLL_MS);

export function keepLive(queries: QueryClient): void {
  let changes: Change[] = [];
  const refresh = () => {
    const keys = staleAfter(changes);
    changes = [];
    if (keys === null) void queries.invalidateQueries();
    else for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
  };
  const changed = (change: Change) => {
    changes.push(change);
    if (changes.length === 1) setTimeout(refresh, GATHER_MS * (1 + Math.random()));
  };
  followChanges({
    changed,
    live(next) {
      isLive = next;
      // Nothing may have been heard for a while; and the pace of asking changes.
      if (!next) changed('everything');
      // The server may be another one by now, with another build.
      else changed({ type: 'organization' });
    },
  });
}
