import type { ReactNode, Ref } from 'react';
import { Button } from './button.tsx';
import { words } from './words.ts';

type FilterHeadProps = {
  opener: Ref<HTMLButtonElement>;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  children: ReactNode;
};

/** What is always there of a bar of filters. */
export const FilterHead = ({ opener, isOpen, onOpen, children }: FilterHeadProps) => (
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
);
