import { useState } from 'react';
import type { Failure } from '../../../client/answer.ts';
import { TextArea } from '../../ui/field.tsx';
import { type Form, formsIn } from './mapping.ts';
import { words } from './words.ts';

/** A draft typed as JSON; of what cannot be read, the forms stay those that were read last. */
export function useJson(forms: readonly Form[], setForms: (forms: readonly Form[]) => void) {
  const [typed, setTyped] = useState<{ text: string; forms: readonly Form[] } | null>(null);
  const [isOpen, setOpen] = useState(false);
  // What else changes the forms replaces what was typed.
  const text = typed?.forms === forms ? typed.text : JSON.stringify(forms, null, 2);
  const read = isOpen ? formsIn(text) : { forms };
  return {
    ...{ isOpen, text },
    /** Why it cannot be read. */
    failure: 'problems' in read ? failureOf(read.problems) : null,
    toggle() {
      setTyped(null);
      setOpen(!isOpen);
    },
    discard: () => setTyped(null),
    type(next: string) {
      const answer = formsIn(next);
      const read = 'forms' in answer ? answer.forms : forms;
      setTyped({ text: next, forms: read });
      setForms(read);
    },
  };
}

type Problems = Extract<ReturnType<typeof formsIn>, { problems: unknown }>['problems'];

/** As the API refuses it. */
const failureOf = (problems: Problems): Failure => ({
  ...{ type: 'refused', status: 422, code: 'invalid', requestId: '', message: words.notValid },
  issues: problems === 'no_json' ? [{ path: 'forms', message: words.notJson }] : problems,
});

export const JsonField = ({ json }: { json: ReturnType<typeof useJson> }) => (
  <TextArea
    path="forms"
    isList
    isCode
    rows={16}
    label={words.json}
    help={words.jsonHelp}
    value={json.text}
    onChange={json.type}
  />
);
