import type { ReactNode } from 'react';
import { personName } from '../../resources/person-name.ts';
import { Icon } from '../ui/icon.tsx';
import { PersonMark } from '../ui/person-mark.tsx';
import { type Pick, PickField } from '../ui/pick-field.tsx';
import { NOBODY } from './covering.ts';
import type { Member } from './queries.ts';
import { ANYONE } from './requests.ts';
import { coverWords as words } from './words.ts';

/** Who can take over: whoever is active, and nobody. */
export const picksOf = (members: readonly Member[], me: string | undefined): readonly Pick[] => [
  ...members
    .filter((one) => one.active !== false)
    .map((one) => ({
      value: one.id,
      label: one.id === me ? words.me(personName(one)) : personName(one),
    })),
  { value: NOBODY, label: words.nobody },
];

type PersonFieldProps = {
  path: string;
  label: ReactNode;
  isRow?: boolean;
  picks: readonly Pick[];
  names: ReadonlyMap<string, string>;
  value: string;
  onChange: (value: string) => void;
  onEdit?: () => void;
};

export const PersonField = ({ names, ...rest }: PersonFieldProps) => (
  <PickField
    {...rest}
    mark={({ value }) =>
      value === NOBODY || value === ANYONE ? (
        <Icon name={value === NOBODY ? 'x' : 'users'} />
      ) : (
        names.has(value) && <PersonMark id={value} name={names.get(value) ?? ''} />
      )
    }
  />
);
