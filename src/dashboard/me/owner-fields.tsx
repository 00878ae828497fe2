import { useQuery } from '@tanstack/react-query';
import { TextField } from '../ui/field.tsx';
import { secondFactorQuery } from './queries.ts';
import { words } from './second-factor-words.ts';

export type Owner = { readonly password: string; readonly code: string };
export const noOwner: Owner = { password: '', code: '' };

type OwnerFieldsProps = {
  value: Owner;
  help?: string | undefined;
  /** Where the API names the password: `current_password` beside a new one. */
  path?: 'password' | 'current_password';
  onChange: (owner: Owner) => void;
};

/** What shows that it is the person, before it changes how they sign in. */
export function OwnerFields({ value, help, path = 'password', onChange }: OwnerFieldsProps) {
  const { data: factor } = useQuery(secondFactorQuery);
  return (
    <>
      <TextField
        path={path}
        label={path === 'password' ? words.password : words.currentPassword}
        help={help}
        type="password"
        autoComplete="current-password"
        value={value.password}
        onChange={(password) => onChange({ ...value, password })}
      />
      {factor?.enabled && (
        <TextField
          path="code"
          label={words.anyCode}
          autoComplete="one-time-code"
          value={value.code}
          onChange={(code) => onChange({ ...value, code })}
        />
      )}
    </>
  );
}

/** As the API takes it. */
export const ownerBody = ({ password, code }: Owner) => ({
  password,
  ...(code !== '' && { code }),
});
