// What the report is about: its days, and of which service or integration.
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { readNames } from '../api/pager.ts';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Tab } from '../ui/tabs.tsx';
import type { Period } from './period.ts';
import { defaultDays, periods, type ReportSearch } from './search.ts';
import { words } from './words.ts';

const RARELY_MS = 5 * 60_000;

type Field = 'service' | 'integration' | 'from' | 'to';
type BarProps = { search: ReportSearch; period: Period | null };

export function PeriodBar({ search, period }: BarProps) {
  const navigate = useNavigate({ from: '/reports' });
  const set = (name: Field, value: string) =>
    void navigate({
      search: ({ [name]: _, ...rest }) => (value ? { ...rest, [name]: value } : rest),
      replace: true,
      resetScroll: false,
    });
  const isOfDays = search.from === undefined && search.to === undefined;
  const day = (name: 'from' | 'to') => (
    <TextField
      type="date"
      path={name}
      label={words[name]}
      value={search[name] ?? period?.[name] ?? ''}
      onChange={(value) => set(name, value)}
    />
  );
  return (
    <div className="flex flex-col gap-2 border-b border-line px-3 py-2 md:px-4 print:hidden">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <nav aria-label={words.whichPeriod} className="flex flex-wrap gap-1">
          {periods.map((days) => (
            <Tab
              key={days}
              to="/reports"
              search={({ days: _, from: __, to: ___, ...rest }) =>
                days === defaultDays ? rest : { ...rest, days }
              }
              isCurrent={isOfDays && (search.days ?? defaultDays) === days}
            >
              {words.periods[days]}
            </Tab>
          ))}
        </nav>
        <Button className="min-h-8" onClick={() => print()}>
          {words.print}
        </Button>
      </div>
      <div className="grid max-w-3xl grid-cols-2 gap-3 md:grid-cols-4">
        {day('from')}
        {day('to')}
        <NameField name="service" list="/services" value={search.service} set={set} />
        <NameField name="integration" list="/integrations" value={search.integration} set={set} />
      </div>
    </div>
  );
}

type NameFieldProps = {
  name: 'service' | 'integration';
  list: string;
  value: string | undefined;
  set: (name: Field, value: string) => void;
};

function NameField({ name, list, value = '', set }: NameFieldProps) {
  const { data } = useQuery({
    queryKey: [list.slice(1), 'names'],
    queryFn: () => readNames(list),
    staleTime: RARELY_MS,
  });
  const named = [...(data ?? [])]
    .map(([id, text]) => ({ value: id, text }))
    .sort((a, b) => a.text.localeCompare(b.text));
  return (
    <SelectField
      path={name}
      label={words[name]}
      value={value}
      onChange={(chosen) => set(name, chosen)}
      options={[{ value: '', text: words.any }, ...named]}
    />
  );
}
