import { useId } from 'react';

type Choice = { readonly text: string; readonly isChosen: boolean; readonly choose: () => void };

/** One of a few, in one row. */
export function Radios({ choices }: { choices: readonly Choice[] }) {
  const name = useId();
  return (
    <div className="flex flex-wrap gap-x-4">
      {choices.map(({ text, isChosen, choose }) => (
        <label
          key={text}
          className="inline-flex items-center gap-2 pointer-coarse:min-h-11 pointer-coarse:text-lg"
        >
          <input
            type="radio"
            name={name}
            checked={isChosen}
            onChange={choose}
            className="size-4 accent-ink pointer-coarse:size-5"
          />
          {text}
        </label>
      ))}
    </div>
  );
}
