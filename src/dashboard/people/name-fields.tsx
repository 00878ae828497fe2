import { TextField } from '../ui/field.tsx';
import { words } from './words.ts';

type Name = { readonly first_name: string; readonly last_name: string };
type NameFieldsProps<Value> = {
  value: Value;
  onChange: (value: Value) => void;
  /** It is the reader's own, which a browser may fill in. */
  isOwn?: boolean;
};

export function NameFields<Value extends Name>({
  value,
  onChange,
  isOwn = false,
}: NameFieldsProps<Value>) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <TextField
        path="first_name"
        label={words.firstName}
        autoComplete={isOwn ? 'given-name' : 'off'}
        value={value.first_name}
        onChange={(first_name) => onChange({ ...value, first_name })}
      />
      <TextField
        path="last_name"
        label={words.lastName}
        autoComplete={isOwn ? 'family-name' : 'off'}
        value={value.last_name}
        onChange={(last_name) => onChange({ ...value, last_name })}
      />
    </div>
  );
}
