import { useId, useState } from 'react';
import { WriteButton } from '../ui/write-button.tsx';
import { bulkWords } from './bulk-words.ts';
import type { Incident } from './incident.ts';
import { words } from './words.ts';

type BulkMergeProps = {
  /** Two or more. */
  selected: readonly Incident[];
  onMerge: (into: Incident, others: readonly Incident[]) => void;
};

/** Which of them goes on: the others end. */
export function BulkMerge({ selected, onMerge }: BulkMergeProps) {
  const name = useId();
  const [intoId, setIntoId] = useState('');
  const oldest = selected.toSorted((one, other) => one.number - other.number);
  const into = oldest.find(({ id }) => id === intoId) ?? oldest[0];
  if (into === undefined) return null;
  const others = oldest.filter((one) => one !== into);
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium">{bulkWords.survivor}</legend>
      <div className="my-1 max-h-48 overflow-y-auto">
        {oldest.map((one) => (
          <label
            key={one.id}
            className="flex items-center gap-2 py-1 wrap-anywhere pointer-coarse:min-h-11"
          >
            <input
              type="radio"
              name={name}
              checked={one === into}
              onChange={() => setIntoId(one.id)}
              className="size-4 shrink-0 accent-ink pointer-coarse:size-5"
            />
            <span className="min-w-0">
              <span className="text-ink2">{words.number(one.number)}</span> <bdi>{one.title}</bdi>
            </span>
          </label>
        ))}
      </div>
      <p className="mb-2 text-sm text-pretty text-ink2">{bulkWords.othersEnd(others.length)}</p>
      <WriteButton kind="primary" onClick={() => onMerge(into, others)}>
        {bulkWords.mergeInto(others.length, into.number)}
      </WriteButton>
    </fieldset>
  );
}
