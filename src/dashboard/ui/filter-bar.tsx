// What narrows a list, each with its way off; opened, what else can.
import { type ReactNode, useRef } from 'react';
import { FilterHead } from './filter-head.tsx';
import { FilterParts, type FilterPartsProps } from './filter-parts.tsx';

type FilterBarProps<Name extends string> = FilterPartsProps<Name> & {
  onOpen: (isOpen: boolean) => void;
  children: ReactNode;
};

export function FilterBar<Name extends string>({
  onOpen,
  children,
  ...parts
}: FilterBarProps<Name>) {
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <div className="px-3 py-2 md:px-4">
      <FilterHead opener={opener} isOpen={parts.isOpen} onOpen={onOpen}>
        {children}
      </FilterHead>
      <FilterParts {...parts} toOpener={() => opener.current?.focus()} />
    </div>
  );
}
