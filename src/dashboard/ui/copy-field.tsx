import { useId, useRef } from 'react';
import { Button } from './button.tsx';
import { useCopy } from './use-copy.ts';
import { words } from './words.ts';

type CopyFieldProps = { label: string; text: string };

/** Over plain HTTP browsers have no clipboard: then the text is selected, to be copied by hand. */
export function CopyField({ label, text }: CopyFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const { outcome, copy } = useCopy(text, () => words.selected);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          ref={field}
          readOnly
          value={text}
          onFocus={({ target }) => target.select()}
          className="h-9 min-w-0 flex-1 rounded-md border border-edge bg-sunken px-2.5 font-mono text-sm pointer-coarse:h-11 pointer-coarse:text-lg"
        />
        <Button
          icon="copy"
          onClick={() => {
            field.current?.select();
            void copy();
          }}
        >
          {words.copy}
        </Button>
      </div>
      <p role="status" className="min-h-4.5 text-sm text-ink2">
        {outcome}
      </p>
    </div>
  );
}
