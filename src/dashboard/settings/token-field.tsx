import { TextField } from '../ui/field.tsx';
import { words } from './words.ts';

type TokenFieldProps = { value: string; onChange: (value: string) => void };

/** No password of a person: browsers offer none for it and store none. */
export const TokenField = ({ value, onChange }: TokenFieldProps) => (
  <TextField
    path="secrets.bot_token"
    label={words.token}
    help={words.tokenHelp}
    type="password"
    autoComplete="new-password"
    spellCheck={false}
    value={value}
    onChange={onChange}
  />
);
