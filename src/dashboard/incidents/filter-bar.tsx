import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { priorities } from '../../resources/priorities.ts';
import { readNames } from '../api/pager.ts';
import { usePeople } from '../incident/queries.ts';
import { Button } from '../ui/button.tsx';
import { type Option, SelectField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { ages, type FilterName, type Filters, filterNames } from './filters.ts';
import { words } from './words.ts';

const RARELY_MS = 5 * 60_000;

/** What narrows the list, each with its way off; opened, what else can. */
export function FilterBar({ filters, children }: { filters: Filters; children: ReactNode }) {
  const navigate = useNavigate({ from: '/incidents' });
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
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
    <div className="px-3 py-2 md:px-4">
      <div className="flex items-center justify-between gap-2">
        {children}
        <Button
          ref={opener}
          icon="list-filter"
          aria-expanded={isOpen}
          className="min-h-8 shrink-0"
          onClick={() => setOpen(!isOpen)}
        >
          <span className="max-md:sr-only">{words.filter}</span>
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-2 pt-2 empty:hidden">
        {filterNames.map((name) => {
          const value = filters[name];
          if (value === undefined) return null;
          const text = `${words.filters[name]}: ${textOf(name, value)}`;
          return (
            <button
              key={name}
              type="button"
              aria-label={words.remove(text)}
              onClick={() => {
                // This one goes away.
                opener.current?.focus();
                set(name, '');
              }}
              className="inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-full border border-line bg-surface px-3 hover:border-edge pointer-coarse:min-h-11"
            >
              <bdi className="min-w-0 truncate">{text}</bdi>
              <Icon name="x" className="size-3.5" />
            </button>
          );
        })}
      </div>
      {isOpen && (
        <div className="grid max-w-3xl grid-cols-2 gap-3 pt-2 md:grid-cols-4">
          {filterNames.map((name) => (
            <SelectField
              key={name}
              path={name}
              label={words.filters[name]}
              value={filters[name] ?? ''}
              onChange={(value) => set(name, value)}
              options={[{ value: '', text: words.any }, ...options[name]]}
            />
          ))}
        </div>
      )}
    </div>
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
