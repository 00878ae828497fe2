import { useEffect, useId, useRef } from 'react';
import { isSame } from './edits.ts';
import type { Edit } from './use-edit.ts';
import { words } from './words.ts';

/** A field, as it is told to people. */
export type Part<Draft> = {
  readonly name: keyof Draft & string;
  readonly label: string;
  readonly text: (draft: Draft) => string;
};

type ConflictProps<Draft> = {
  edit: Pick<Edit<Draft>, 'draft' | 'setDraft' | 'sides'>;
  parts: readonly Part<Draft>[];
};

/** In a form whose record somebody else has saved: theirs and yours of each field. */
export function Conflict<Draft extends object>({ edit, parts }: ConflictProps<Draft>) {
  const { draft, setDraft, sides } = edit;
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (sides) box.current?.focus();
  }, [sides]);
  if (sides === null) return null;
  const differing = parts.filter(({ name }) => !isSame(sides.theirs[name], sides.yours[name]));
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className="flex flex-col gap-3 rounded-md border border-red bg-red-tint px-3 py-2"
    >
      <div>
        <p className="font-medium">{words.changed}</p>
        <p className="text-pretty">{words.changedText}</p>
      </div>
      {differing.map(({ name, label, text }) => (
        <fieldset key={name} className="min-w-0">
          <legend className="font-medium">{label}</legend>
          {(['theirs', 'yours'] as const).map((side) => (
            <label
              key={side}
              className="flex items-baseline gap-2 py-0.5 pointer-coarse:min-h-11 pointer-coarse:py-2"
            >
              <input
                type="radio"
                name={`${id}-${name}`}
                checked={isSame(draft[name], sides[side][name])}
                onChange={() => setDraft({ ...draft, [name]: sides[side][name] })}
                className="size-4 shrink-0 translate-y-0.5 accent-ink pointer-coarse:size-5"
              />
              <span className="min-w-0 whitespace-pre-line wrap-anywhere">
                <span className="text-ink2">{words[side]}</span>{' '}
                <bdi>{text(sides[side]) || words.nothing}</bdi>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </div>
  );
}
