import { useEffect, useState } from 'react';
import { merged, patchOf } from './edits.ts';

/**
 * A draft of settings without a version: what others save is taken over where it is not touched,
 * and only what is touched is sent.
 */
export function useSettings<Settings extends object>(read: Settings) {
  const [seen, setSeen] = useState(read);
  const [base, setBase] = useState(read);
  const [draft, setDraft] = useState(read);
  const [wasSaved, setWasSaved] = useState(false);
  useEffect(() => {
    if (read === seen) return;
    setSeen(read);
    setBase(read);
    setDraft(merged({ base, theirs: read, yours: draft }));
  }, [read, seen, base, draft]);
  const patch = patchOf({ base, yours: draft });
  return {
    draft,
    setDraft,
    patch,
    /** What is shown is what the server has. */
    isSaved: wasSaved && Object.keys(patch).length === 0,
    /** The server has answered. */
    sent(isDone: boolean) {
      setWasSaved(isDone);
      if (isDone) setBase((now) => merged({ base, theirs: now, yours: draft }));
    },
  };
}
