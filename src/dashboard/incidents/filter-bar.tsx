import { type ReactNode, Suspense, useRef, useState } from 'react';
import { usePeople } from '../incident/queries.ts';
import { lazyPart } from '../shell/lazy-part.ts';
import { FilterHead } from '../ui/filter-head.tsx';
import type { Filters } from './filters.ts';

/** Most lists are not narrowed. */
const SetFilters = lazyPart(() => import('./set-filters.tsx'), 'SetFilters');

export function FilterBar({ filters, children }: { filters: Filters; children: ReactNode }) {
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  // Read while the part that shows them is loaded.
  const people = usePeople(isOpen || filters.responder !== undefined).data;
  return (
    <div className="px-3 py-2 md:px-4">
      <FilterHead opener={opener} isOpen={isOpen} onOpen={setOpen}>
        {children}
      </FilterHead>
      {(isOpen || Object.keys(filters).length > 0) && (
        <Suspense fallback={<div className="h-10" />}>
          <SetFilters
            filters={filters}
            people={people}
            isOpen={isOpen}
            toOpener={() => opener.current?.focus()}
          />
        </Suspense>
      )}
    </div>
  );
}
