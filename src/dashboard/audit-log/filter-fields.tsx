import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { personName } from '../../resources/person-name.ts';
import { keysQuery } from '../api-keys/queries.ts';
import { peopleQuery } from '../people/queries.ts';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import type { Pick } from '../ui/pick-field.tsx';
import { PickField } from '../ui/pick-field.tsx';
import type { AuditSearch, FilterName } from './search.ts';
import { words } from './words.ts';

const path = '/settings/audit-log';

/** What narrows the log is in the address. */
export function FilterFields({ search }: { search: AuditSearch }) {
  const navigate = useNavigate({ from: path });
  const set = (name: FilterName, value: string) =>
    void navigate({
      search: ({ [name]: _, ...rest }) => (value ? { ...rest, [name]: value } : rest),
      replace: true,
      resetScroll: false,
    });
  const textFieldOf = (name: 'from' | 'to') => (
    <TextField
      path={name}
      label={words[name]}
      type="date"
      value={search[name] ?? ''}
      onChange={(value) => set(name, value)}
    />
  );
  return (
    <search
      aria-label={words.filters}
      className="grid max-w-5xl grid-cols-2 items-end gap-3 px-4 py-2 md:grid-cols-3 md:px-5 lg:grid-cols-5"
    >
      <PickField
        path="actor"
        label={words.who}
        picks={useActors()}
        value={search.actor ?? ''}
        onChange={(value) => set('actor', value)}
      />
      <SelectField
        path="type"
        label={words.type}
        value={search.type ?? ''}
        options={optionsOf(words.kinds)}
        onChange={(value) => set('type', value)}
      />
      <SelectField
        path="action"
        label={words.action}
        value={search.action ?? ''}
        options={optionsOf(words.actions)}
        onChange={(value) => set('action', value)}
      />
      {textFieldOf('from')}
      {textFieldOf('to')}
      {Object.keys(search).length > 0 && (
        <div className="col-span-full flex flex-wrap items-center gap-3">
          <ClearFilters />
          {search.record !== undefined && <p className="text-ink2">{words.oneRecord}</p>}
        </div>
      )}
    </search>
  );
}

export function ClearFilters() {
  const navigate = useNavigate({ from: path });
  return (
    <Button
      icon="x"
      onClick={() =>
        void navigate({
          search: ({ actor, type, record, action, from, to, ...rest }) => rest,
          replace: true,
        })
      }
    >
      {words.clear}
    </Button>
  );
}

const optionsOf = (names: Readonly<Record<string, string>>) => [
  { value: '', text: words.any },
  ...Object.entries(names)
    .map(([value, text]) => ({ value, text }))
    .toSorted((one, other) => one.text.localeCompare(other.text)),
];

/** People and keys, also those that are gone. */
function useActors(): readonly Pick[] {
  const { data: people = [] } = useQuery(peopleQuery);
  const { data: active = [] } = useQuery(keysQuery(false));
  const { data: revoked = [] } = useQuery(keysQuery(true));
  return [
    ...people.map((one) => ({ value: one.id, label: personName(one), hint: one.email })),
    ...[...active, ...revoked].map(({ id, name }) => ({
      value: id,
      label: name,
      hint: words.apiKey,
    })),
  ].toSorted((one, other) => one.label.localeCompare(other.label));
}
