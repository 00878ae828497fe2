import { useQuery } from '@tanstack/react-query';
import { personName } from '../../resources/person-name.ts';
import { readNames } from '../api/pager.ts';
import { teamNamesQuery } from '../api/queries.ts';
import { useMay } from '../api/use-may.ts';
import { namesById } from '../people/names-by-id.ts';
import { peopleQuery } from '../people/queries.ts';
import { channelName, channelNames } from '../ui/channel.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { type FilterName, type PageFilters, states } from './filters.ts';
import { words } from './words.ts';

const any = { value: '', text: words.any };
const channels = Object.entries(channelNames).map(([value, text]) => ({ value, text }));

/** What is set, as people read it. */
export function useFilterTexts({ person, teams, service, integration }: PageFilters) {
  const teamNames = useQuery({ ...teamNamesQuery, enabled: teams !== undefined }).data;
  const services = useNames('/services', service !== undefined);
  const integrations = useNames('/integrations', integration !== undefined);
  const people = useQuery({ ...peopleQuery, enabled: person !== undefined });
  const names = namesById(people.data ?? []);
  const valueText: Readonly<Record<FilterName, (value: string) => string>> = {
    person: (id) => names.get(id) ?? id,
    channel: channelName,
    state: (value) => words.states[states.find((one) => one === value) ?? 'sent'],
    teams: (ids) =>
      ids
        .split(',')
        .map((id) => teamNames?.get(id) ?? id)
        .join(', '),
    service: (id) => services?.get(id) ?? id,
    integration: (id) => integrations?.get(id) ?? id,
    night: () => words.night,
    test: (value) => words.tests[value === 'only' ? 'only' : 'none'],
    from: dayText,
    to: dayText,
  };
  return (name: FilterName, value: string) => `${words.filters[name]}: ${valueText[name](value)}`;
}

const RARELY_MS = 5 * 60_000;

const useNames = (list: string, isWanted: boolean) =>
  useQuery({
    queryKey: [list.slice(1), 'names'],
    queryFn: () => readNames(list),
    staleTime: RARELY_MS,
    enabled: isWanted,
  }).data;

const dayText = (day: string) =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );

type FilterFieldsProps = {
  filters: PageFilters;
  onChange: (name: FilterName, value: string) => void;
};

export function FilterFields({ filters, onChange }: FilterFieldsProps) {
  // Others see their own pages only.
  const seesOthers = useMay('manager');
  const { data: people = [] } = useQuery({ ...peopleQuery, enabled: seesOthers === true });
  const named = people
    .map((one) => ({ value: one.id, text: personName(one) }))
    .sort((a, b) => a.text.localeCompare(b.text));
  const select = (name: 'person' | 'channel' | 'state', options: readonly Option[]) => (
    <SelectField
      path={name}
      label={words.filters[name]}
      value={filters[name] ?? ''}
      onChange={(value) => onChange(name, value)}
      options={[any, ...options]}
    />
  );
  const day = (name: 'from' | 'to') => (
    <TextField
      type="date"
      path={name}
      label={words.filters[name]}
      value={filters[name] ?? ''}
      onChange={(value) => onChange(name, value)}
    />
  );
  return (
    <>
      {seesOthers && select('person', named)}
      {select('channel', channels)}
      {select(
        'state',
        states.map((value) => ({ value, text: words.states[value] })),
      )}
      {day('from')}
      {day('to')}
    </>
  );
}

type Option = { readonly value: string; readonly text: string };
