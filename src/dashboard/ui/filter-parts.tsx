import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { words } from './words.ts';

export type FilterPartsProps<Name extends string> = {
  /** Those that are set, as people read them. */
  set: readonly { readonly name: Name; readonly text: string }[];
  onRemove: (name: Name) => void;
  /** What the list can be narrowed by; shown while it is open. */
  fields: ReactNode;
  isOpen: boolean;
};

type PartsProps<Name extends string> = FilterPartsProps<Name> & { toOpener: () => void };

export const FilterParts = <Name extends string>(props: PartsProps<Name>) => (
  <>
    <div className="flex flex-wrap items-center gap-2 pt-2 empty:hidden">
      {props.set.map(({ name, text }) => (
        <button
          key={name}
          type="button"
          aria-label={words.removeFilter(text)}
          onClick={() => {
            // This one goes away.
            props.toOpener();
            props.onRemove(name);
          }}
          className="inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-full border border-line bg-surface px-3 hover:border-edge pointer-coarse:min-h-11"
        >
          <bdi className="min-w-0 truncate">{text}</bdi>
          <Icon name="x" className="size-3.5" />
        </button>
      ))}
    </div>
    {props.isOpen && (
      <div className="grid max-w-3xl grid-cols-2 gap-3 pt-2 md:grid-cols-4">{props.fields}</div>
    )}
  </>
);
