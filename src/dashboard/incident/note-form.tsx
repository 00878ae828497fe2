import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { sendDraft, settleDraft } from '../ui/drafts.ts';
import { FailedWrite } from '../ui/failed-write.tsx';
import { words as uiWords } from '../ui/words.ts';
import { WriteButton } from '../ui/write-button.tsx';
import { useActs } from './use-acts.ts';
import { words } from './words.ts';

/** What is typed stays until it is stored. */
export function NoteForm({ id }: { id: string }) {
  const [text, setText] = useState('');
  const isWanted = useSearch({ from: '/incidents/$number' }).act === 'note';
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isWanted) field.current?.focus();
  }, [isWanted]);
  const { act, pending, isTriedAgain, failure } = useActs(id);
  const save = async (form: HTMLFormElement) => {
    if (text.trim() === '' || pending !== null) return;
    sendDraft(form);
    // What was typed meanwhile is the next one.
    if (settleDraft(form, await act('note', { text }))) setText('');
  };
  return (
    <form
      className="mb-4 flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void save(event.currentTarget);
      }}
      onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
        if (key === 'Enter' && (ctrlKey || metaKey)) currentTarget.requestSubmit();
      }}
    >
      <textarea
        ref={field}
        data-note
        rows={1}
        maxLength={10_000}
        aria-label={words.addNote}
        placeholder={words.addNote}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
        className="field-sizing-content max-h-72 min-h-9 w-full resize-none rounded-md border border-edge bg-surface px-2.5 py-1.5 placeholder:text-ink3 pointer-coarse:min-h-11 pointer-coarse:py-2 pointer-coarse:text-lg"
      />
      <FailedWrite failure={failure} />
      {text.trim() !== '' && (
        <div className="flex items-center gap-3">
          <WriteButton kind="primary" type="submit" aria-disabled={pending !== null}>
            {words.saveNote}
          </WriteButton>
          {isTriedAgain && <p role="status">{uiWords.triedAgain}</p>}
        </div>
      )}
    </form>
  );
}
