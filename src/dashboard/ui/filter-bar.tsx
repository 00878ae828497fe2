// What narrows a list, each with its way off; opened, what else can.
import { type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { words } from './words.ts';

type FilterBarProps<Name extends string> = {
  /** Those that are set, as people read them. */
  set: readonly { readonly name: Name; readonly text: string }[];
  onRemove: (name: Name) => void;
  /** What the list can be narrowed by; shown while it is open. */
  fields: ReactNode;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  children: ReactNode;
};

export function FilterBar<Name extends string>({
  set,
  onRemove,
  fields,
  isOpen,
  onOpen,
  children,
}: FilterBarProps<Name>) {
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <div className="px-3 py-2 md:px-4">
      <div className="flex items-center justify-between gap-2">
        {children}
        <Button
          ref={opener}
          icon="list-filter"
          aria-expanded={isOpen}
          className="min-h-8 shrink-0"
          onClick={() => onOpen(!isOpen)}
        >
          <span className="max-md:sr-only">{words.filter}</span>
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-2 pt-2 empty:hidden">
        {set.map(({ name, text }) => (
          <button
            key={name}
            type="button"
            aria-label={words.removeFilter(text)}
            onClick={() => {
              // This one goes away.
              opener.current?.focus();
              onRemove(name);
            }}
            className="inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-full border border-line bg-surface px-3 hover:border-edge pointer-coarse:min-h-11"
          >
            <bdi className="min-w-0 truncate">{text}</bdi>
            <Icon name="x" className="size-3.5" />
          </button>
        ))}
      </div>
      {isOpen && (
        <div className="grid max-w-3xl grid-cols-2 gap-3 pt-2 md:grid-cols-4">{fields}</div>
      )}
    </div>
  );
}
