import { useState } from 'react';
import type { Failure } from '../../../client/answer.ts';
import { Field } from '../../ui/field.tsx';
import { type Form, formsIn, isShowable } from './mapping.ts';
import { words } from './words.ts';

/** A draft typed as JSON; of what is none, the forms stay those that were read last. */
export function useJson(forms: readonly Form[], setForms: (forms: readonly Form[]) => void) {
  const [typed, setTyped] = useState<{ text: string; forms: readonly Form[] } | null>(null);
  const [isOpen, setOpen] = useState(false);
  // What else changes the forms replaces what was typed.
  const text = typed?.forms === forms ? typed.text : JSON.stringify(forms, null, 2);
  const isJson = !isOpen || formsIn(text) !== null;
  const unsendable = isJson ? null : failureOf(words.notJson);
  return {
    isOpen,
    text,
    /** Why it cannot be sent. */
    unsendable,
    /** Why fields cannot show it. */
    unshowable: unsendable ?? (isShowable(forms) ? null : failureOf(words.notInFields)),
    toggle() {
      setTyped(null);
      setOpen(!isOpen);
    },
    discard: () => setTyped(null),
    type(next: string) {
      const read = formsIn(next) ?? forms;
      setTyped({ text: next, forms: read });
      setForms(read);
    },
  };
}

/** As the API refuses it. */
const failureOf = (message: string): Failure => ({
  type: 'refused',
  status: 422,
  code: 'invalid',
  requestId: '',
  message: words.notValid,
  issues: [{ path: 'forms', message }],
});

export const JsonField = ({ json }: { json: ReturnType<typeof useJson> }) => (
  <Field path="forms" isList label={words.json} help={words.jsonHelp}>
    {(control) => (
      <textarea
        rows={16}
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        className="w-full rounded-md border border-edge bg-surface px-2.5 py-1.5 font-mono text-sm aria-[invalid=true]:border-red pointer-coarse:text-lg"
        {...control}
        value={json.text}
        onChange={({ target }) => json.type(target.value)}
      />
    )}
  </Field>
);
