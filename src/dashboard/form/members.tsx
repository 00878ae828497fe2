// The members of a list in a form, which are moved by dragging and by buttons, and removed by buttons.
import { useState } from 'react';
import { IconButton } from '../ui/button.tsx';
import { DragHandle } from '../ui/drag-handle.tsx';
import { withMoved } from '../ui/moved.ts';
import { words } from './words.ts';

export type MemberKeys = {
  readonly of: (index: number) => number;
  readonly move: (index: number, steps: number) => void;
  readonly remove: (index: number) => void;
};

/** Of members that have none of their own: what is typed stays with the member that is moved. */
export function useKeys(count: number): MemberKeys {
  const [keys, setKeys] = useState<readonly number[]>([]);
  const last = Math.max(0, ...keys);
  const all = Array.from({ length: count }, (_, index) => keys[index] ?? last + 1 + index);
  return {
    of: (index) => all[index] ?? index,
    move: (index, steps) => setKeys(withMoved(all, index, steps)),
    remove: (index) => setKeys(all.toSpliced(index, 1)),
  };
}

type MemberButtonsProps = {
  label: string;
  index: number;
  count: number;
  keys: MemberKeys;
  onMove: (steps: number) => void;
  onRemove: () => void;
  /** At least one has to be there. */
  isNeeded?: boolean;
};

export function MemberButtons(props: MemberButtonsProps) {
  const { label, index, count, keys, onMove, onRemove, isNeeded = false } = props;
  const move = (steps: number) => {
    keys.move(index, steps);
    onMove(steps);
  };
  return (
    <>
      {count > 1 && (
        <DragHandle
          label={words.drag}
          value={String(index)}
          onDrop={(value) => move(Number(value) - index)}
        />
      )}
      <IconButton
        icon="arrow-up"
        label={words.up(label)}
        disabled={index === 0}
        onClick={() => move(-1)}
      />
      <IconButton
        icon="arrow-down"
        label={words.down(label)}
        disabled={index === count - 1}
        onClick={() => move(1)}
      />
      <IconButton
        icon="x"
        label={words.remove(label)}
        disabled={isNeeded && count === 1}
        onClick={() => {
          keys.remove(index);
          onRemove();
        }}
      />
    </>
  );
}
