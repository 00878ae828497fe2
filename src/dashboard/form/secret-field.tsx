import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Field, TextField } from '../ui/field.tsx';
import { words } from './words.ts';

type SecretFieldProps = {
  path: string;
  label: string;
  help: string;
  value: string;
  onChange: (value: string) => void;
};

/** What is stored is not shown: it stays, or another one is typed. */
export function SecretField({ value, onChange, ...named }: SecretFieldProps) {
  const [stored] = useState(value);
  const isStored = stored !== '' && value === stored;
  if (isStored)
    return (
      <Field {...named}>
        {({ id, name, ...described }) => (
          <div className="flex items-center gap-3">
            <span aria-hidden="true">{words.hidden}</span>
            <button
              id={id}
              name={name}
              {...described}
              aria-label={words.replaceOne(named.label)}
              type="button"
              className="underline pointer-coarse:min-h-11"
              onClick={() => onChange('')}
            >
              {words.replace}
            </button>
          </div>
        )}
      </Field>
    );
  return (
    <div className="flex flex-col gap-1">
      <TextField
        {...named}
        type="password"
        autoComplete="new-password"
        spellCheck={false}
        value={value}
        onChange={onChange}
      />
      {stored !== '' && (
        <Button className="self-start" onClick={() => onChange(stored)}>
          {words.keep}
        </Button>
      )}
    </div>
  );
}
