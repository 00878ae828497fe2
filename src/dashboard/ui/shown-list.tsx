import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { words } from './words.ts';

/** A longer list takes a browser long, and is rather searched than read. */
const SHOWN_AT_ONCE = 50;

type ShownListProps<One> = {
  label: string;
  all: readonly One[];
  children: (one: One) => ReactNode;
};

/** The first of a list that is read whole, and more on request. */
export function ShownList<One>({ label, all, children }: ShownListProps<One>) {
  const [count, setCount] = useState(SHOWN_AT_ONCE);
  return (
    <>
      <ul aria-label={label}>{all.slice(0, count).map(children)}</ul>
      {count < all.length && (
        <div className="px-4 py-3 md:px-5">
          <Button onClick={() => setCount(count + SHOWN_AT_ONCE)}>{words.more}</Button>
        </div>
      )}
    </>
  );
}
