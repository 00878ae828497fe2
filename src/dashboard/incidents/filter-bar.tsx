import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { priorities } from '../../resources/priorities.ts';
import { readNames } from '../api/pager.ts';
import { usePeople } from '../incident/queries.ts';
import { lazyPart } from '../shell/lazy-part.ts';
import type { Option } from '../ui/field.tsx';
import { FilterBar as Bar } from '../ui/filter-bar.tsx';
import { ages, type FilterName, type Filters, filterNames } from './filters.ts';
import { words } from './words.ts';

/** Once somebody opens them. */
const FilterFields = lazyPart(() => import('./filter-fields.tsx'), 'FilterFields');

const RARELY_MS = 5 * 60_000;

export function FilterBar({ filters, children }: { filters: Filters; children: ReactNode }) {
  const navigate = useNavigate({ from: '/incidents' });
  const [isOpen, setOpen] = useState(false);
  const options = useOptions(isOpen, filters);
  const set = (name: FilterName, value: string) =>
    void navigate({
      search: ({ [name]: _, ...rest }) => (value ? { ...rest, [name]: value } : rest),
      replace: true,
      resetScroll: false,
    });
  const textOf = (name: FilterName, value: string) =>
    options[name].find((option) => option.value === value)?.text ?? value;
  return (
    <Bar
      set={filterNames.flatMap((name) => {
        const value = filters[name];
        if (value === undefined) return [];
        return [{ name, text: `${words.filters[name]}: ${textOf(name, value)}` }];
      })}
      onRemove={(name) => set(name, '')}
      isOpen={isOpen}
      onOpen={setOpen}
      fields={
        <Suspense fallback={null}>
          <FilterFields filters={filters} options={options} set={set} />
        </Suspense>
      }
    >
      {children}
    </Bar>
  );
}

/** Names are read once they are wanted. */
function useOptions(
  isOpen: boolean,
  { service, responder }: Filters,
): Readonly<Record<FilterName, readonly Option[]>> {
  const services = useQuery({
    queryKey: ['services', 'names'],
    queryFn: () => readNames('/services'),
    staleTime: RARELY_MS,
    enabled: isOpen || service !== undefined,
  });
  const people = usePeople(isOpen || responder !== undefined);
  return {
    priority: priorities.map((value) => ({ value, text: value.toUpperCase() })),
    service: [...(services.data ?? [])]
      .map(([value, text]) => ({ value, text }))
      .sort((a, b) => a.text.localeCompare(b.text)),
    responder: (people.data ?? []).map(({ id, name }) => ({ value: id, text: name })),
    since: ages.map((value) => ({ value, text: words.ages[value] })),
  };
}
