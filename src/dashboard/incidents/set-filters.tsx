import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { priorities } from '../../resources/priorities.ts';
import { readNames } from '../api/pager.ts';
import { type Option, SelectField } from '../ui/field.tsx';
import { FilterParts } from '../ui/filter-parts.tsx';
import { verdictNames } from '../verdict/words.ts';
import { filterWords as words } from './filter-words.ts';
import {
  ages,
  type FilterName,
  type Filters,
  filterNames,
  testFilters,
  verdictFilters,
} from './filters.ts';

const RARELY_MS = 5 * 60_000;

type Named = { readonly id: string; readonly name: string };

type SetFiltersProps = {
  filters: Filters;
  /** Undefined until they are read. */
  people: readonly Named[] | undefined;
  isOpen: boolean;
  toOpener: () => void;
};

/** What the list is narrowed by, and what it can be narrowed by. */
export function SetFilters({ filters, people, isOpen, toOpener }: SetFiltersProps) {
  const navigate = useNavigate({ from: '/incidents' });
  const options = useOptions(isOpen, filters, people);
  const set = (name: FilterName, value: string) =>
    void navigate({
      search: ({ [name]: _, ...rest }) => {
        if (!value) return rest;
        // What is open has no verdict.
        const isOfOpen = rest.tab !== 'resolved' && rest.tab !== 'all';
        const tab = name === 'verdict' && isOfOpen ? { tab: 'resolved' as const } : {};
        return { ...rest, ...tab, [name]: value };
      },
      replace: true,
      resetScroll: false,
    });
  const textOf = (name: FilterName, value: string) =>
    options[name].find((option) => option.value === value)?.text ?? value;
  return (
    <FilterParts
      set={filterNames.flatMap((name) => {
        const value = filters[name];
        if (value === undefined) return [];
        return [{ name, text: `${words.names[name]}: ${textOf(name, value)}` }];
      })}
      onRemove={(name) => set(name, '')}
      toOpener={toOpener}
      isOpen={isOpen}
      fields={filterNames.map((name) => (
        <SelectField
          key={name}
          path={name}
          label={words.names[name]}
          value={filters[name] ?? ''}
          onChange={(value) => set(name, value)}
          options={[{ value: '', text: words.any }, ...options[name]]}
        />
      ))}
    />
  );
}

/** Names are read once they are wanted. */
function useOptions(
  isOpen: boolean,
  { service }: Filters,
  people: readonly Named[] = [],
): Readonly<Record<FilterName, readonly Option[]>> {
  const services = useQuery({
    queryKey: ['services', 'names'],
    queryFn: () => readNames('/services'),
    staleTime: RARELY_MS,
    enabled: isOpen || service !== undefined,
  });
  return {
    priority: priorities.map((value) => ({ value, text: value.toUpperCase() })),
    service: [...(services.data ?? [])]
      .map(([value, text]) => ({ value, text }))
      .sort((a, b) => a.text.localeCompare(b.text)),
    responder: people.map(({ id, name }) => ({ value: id, text: name })),
    since: ages.map((value) => ({ value, text: words.ages[value] })),
    test: testFilters.map((value) => ({ value, text: words.tests[value] })),
    verdict: verdictFilters.map((value) => ({
      value,
      text: value === 'none' ? words.noVerdict : verdictNames[value],
    })),
  };
}
