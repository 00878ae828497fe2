import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { isPartGone } from '../api/load-part.ts';
import { isUnsaved } from '../api/open-writes.ts';
import { sessionQuery } from '../api/queries.ts';
import { useStore } from '../api/use-store.ts';
import { Button } from '../ui/button.tsx';
import { words } from './words.ts';

/** Besides, the session is read anew whenever the event stream is back. */
const EVERY_MS = 10 * 60_000;

/** The server hands out another build than the one that runs here. */
export function NewVersion() {
  const { data } = useQuery({ ...sessionQuery, refetchInterval: EVERY_MS });
  const [isHeld, setHeld] = useState(false);
  const own = useRef(data?.build);
  own.current ??= data?.build;
  const isGone = useStore(isPartGone);
  if (data?.build === own.current && !isGone) return null;
  const reload = () => (isUnsaved() ? setHeld(true) : location.reload());
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-4 py-2 md:px-5"
    >
      <span className="font-medium">{words.newVersion}</span>
      {(isHeld || isGone) && <span className="text-ink2">{words.draftFirst}</span>}
      <Button icon="refresh-cw" className="ms-auto" onClick={reload}>
        {words.reload}
      </Button>
    </div>
  );
}
