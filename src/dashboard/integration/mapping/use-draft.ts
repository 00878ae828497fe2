import { useEffect, useState } from 'react';
import { isSame } from '../../ui/edits.ts';
import { cleaned, type Form, type Mapping } from './mapping.ts';

/** A draft of the forms, until it is touched as they are read. */
export function useDraft(mapping: Mapping) {
  const [base, setBase] = useState(mapping);
  const [forms, setForms] = useState(mapping.forms);
  const [wasSaved, setWasSaved] = useState(false);
  const isTouched = !isSame(cleaned(forms), cleaned(base.forms));
  const isNewer = mapping.revision > base.revision;
  useEffect(() => {
    if (!isNewer || isTouched) return;
    setBase(mapping);
    setForms(mapping.forms);
  }, [isNewer, isTouched, mapping]);
  return {
    forms,
    setForms,
    isTouched,
    /** What is shown is what the server has. */
    isSaved: wasSaved && !isTouched,
    /** Somebody else has saved since it was begun. */
    isOvertaken: isTouched && isNewer,
    discard: () => setForms(base.forms),
    /** The server has confirmed it; what was typed meanwhile stays. */
    saved(answer: Mapping, sent: readonly Form[]) {
      setBase(answer);
      setForms((now) => (isSame(cleaned(now), cleaned(sent)) ? answer.forms : now));
      setWasSaved(true);
    },
    removed(answer: Mapping) {
      setBase(answer);
      setForms(answer.forms);
      setWasSaved(false);
    },
  };
}

export type Draft = ReturnType<typeof useDraft>;
