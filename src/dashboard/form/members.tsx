// The members of a list in a form, which are moved and removed by buttons.
import { useState } from 'react';
import { IconButton } from '../ui/button.tsx';
import { withMoved } from '../ui/moved.ts';
import { words } from './words.ts';

export type MemberKeys = {
  readonly of: (index: number) => number;
  readonly move: (index: number, step: 1 | -1) => void;
  readonly remove: (index: number) => void;
};

/** Of members that have none of their own: what is typed stays with the member that is moved. */
export function useKeys(count: number): MemberKeys {
  const [keys, setKeys] = useState<readonly number[]>([]);
  const last = Math.max(0, ...keys);
  const all = Array.from({ length: count }, (_, index) => keys[index] ?? last + 1 + index);
  return {
    of: (index) => all[index] ?? index,
    move: (index, step) => setKeys(withMoved(all, index, step)),
    remove: (index) => setKeys(all.toSpliced(index, 1)),
  };
}

type MemberButtonsProps = {
  label: string;
  index: number;
  count: number;
  keys: MemberKeys;
  onMove: (step: 1 | -1) => void;
  onRemove: () => void;
  /** At least one has to be there. */
  isNeeded?: boolean;
};

export function MemberButtons(props: MemberButtonsProps) {
  const { label, index, count, keys, onMove, onRemove, isNeeded = false } = props;
  const move = (step: 1 | -1) => () => {
    keys.move(index, step);
    onMove(step);
  };
  return (
    <>
      <IconButton
        icon="arrow-up"
        label={words.up(label)}
        disabled={index === 0}
        onClick={move(-1)}
      />
      <IconButton
        icon="arrow-down"
        label={words.down(label)}
        disabled={index === count - 1}
        onClick={move(1)}
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
