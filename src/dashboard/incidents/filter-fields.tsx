import { type Option, SelectField } from '../ui/field.tsx';
import { type FilterName, type Filters, filterNames } from './filters.ts';
import { words } from './words.ts';

type FilterFieldsProps = {
  filters: Filters;
  options: Readonly<Record<FilterName, readonly Option[]>>;
  set: (name: FilterName, value: string) => void;
};

/** What the list can be narrowed by. */
export const FilterFields = ({ filters, options, set }: FilterFieldsProps) =>
  filterNames.map((name) => (
    <SelectField
      key={name}
      path={name}
      label={words.filters[name]}
      value={filters[name] ?? ''}
      onChange={(value) => set(name, value)}
      options={[{ value: '', text: words.any }, ...options[name]]}
    />
  ));
