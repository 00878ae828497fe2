import { useId } from 'react';
import { IconButton } from '../ui/button.tsx';
import { useCopy } from '../ui/use-copy.ts';
import { words } from './words.ts';

type CopyTextProps = {
  label: string;
  text: string;
  canCopy: boolean;
  /** The text as it may be seen now; it is copied whole all the same. */
  visible: (text: string) => string;
  show: () => void;
};

/** Over plain HTTP browsers have no clipboard: then it is shown, to be copied by hand. */
export function CopyText({ label, text, canCopy, visible, show }: CopyTextProps) {
  const id = useId();
  const { outcome, copy } = useCopy(text, () => {
    show();
    return words.shownInstead;
  });
  return (
    <figure aria-labelledby={id} className="min-w-0 rounded-md border border-line">
      <figcaption className="flex min-h-9 flex-wrap items-center gap-x-3 border-b border-line ps-3 pe-1">
        <span id={id} className="min-w-0 flex-1 font-medium wrap-anywhere">
          {label}
        </span>
        <span role="status" className="text-sm text-ink2">
          {outcome}
        </span>
        {canCopy && (
          <IconButton icon="copy" label={words.copy(label)} onClick={() => void copy()} />
        )}
      </figcaption>
      <pre className="rounded-b-md bg-sunken px-3 py-2 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
        {visible(text)}
      </pre>
    </figure>
  );
}
