import { useEffect, useState } from 'react';
import type { Fields } from '../../client/answer.ts';
import type { Writing } from '../api/use-write.ts';
import { isSame, merged } from './edits.ts';

export type Sides<Draft> = { readonly theirs: Draft; readonly yours: Draft };

export type Edit<Draft, Rec = unknown> = {
  /** What was read or saved last, as of `version`. */
  readonly base: Rec;
  readonly draft: Draft;
  readonly setDraft: (draft: Draft) => void;
  /** It is not what was read or saved last. */
  readonly isTouched: boolean;
  /** That the next save is based on. */
  readonly version: number;
  /** Somebody else has saved meanwhile. */
  readonly sides: Sides<Draft> | null;
  /** The answer to a save. */
  readonly saved: (answer: Fields) => void;
};

type Editing<Rec, Draft> = {
  /** As it was read last. */
  readonly record: Rec;
  readonly draftOf: (record: Rec) => Draft;
  /** What is changed already when the form opens. */
  readonly begin?: ((draft: Draft) => Draft) | undefined;
  readonly writing: Writing;
};

/**
 * What is typed is of the record as it was then: when a save is refused because somebody else has
 * saved, both are put together and shown side by side before the next save.
 */
export function useEdit<Rec extends { readonly version: number }, Draft extends object>({
  record,
  draftOf,
  begin = (draft) => draft,
  writing: { failure, forget },
}: Editing<Rec, Draft>): Edit<Draft, Rec> {
  const [base, setBase] = useState(record);
  const [draft, setDraft] = useState(() => begin(draftOf(record)));
  const [sides, setSides] = useState<Sides<Draft> | null>(null);
  const isRefused = failure?.type === 'refused' && failure.code === 'stale_version';
  useEffect(() => {
    if (record.version <= base.version) return;
    const [before, theirs] = [draftOf(base), draftOf(record)];
    const isTouched = !isSame(before, draft);
    if (isTouched && !isRefused) return;
    if (isTouched) setSides({ theirs, yours: draft });
    setDraft(merged({ base: before, theirs, yours: draft }));
    setBase(record);
    forget();
  }, [record, base, draft, isRefused, draftOf, forget]);
  return {
    base,
    draft,
    setDraft,
    sides,
    isTouched: !isSame(draftOf(base), draft),
    version: base.version,
    saved(answer) {
      setSides(null);
      // What this version of the API answers, as docs/openapi.json has it.
      setBase(answer as unknown as Rec);
    },
  };
}
