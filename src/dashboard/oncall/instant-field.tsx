import { type ReactNode, useState } from 'react';
import { TextField } from '../ui/field.tsx';
import { instantOfText, localText } from './axis.ts';

type InstantFieldProps = {
  path: string;
  label: string;
  help?: ReactNode;
  instant: string | undefined;
  /** On whose clock it is typed. */
  timezone: string;
  onChange: (instant: string | undefined) => void;
};

/** What is typed stays as it is, half a year too, until the instant or the zone is another. */
export function InstantField({ instant, timezone, onChange, ...named }: InstantFieldProps) {
  const [typed, setTyped] = useState({ text: textOf(instant, timezone), instant, timezone });
  const isTyped = typed.instant === instant && typed.timezone === timezone;
  return (
    <TextField
      {...named}
      type="datetime-local"
      value={isTyped ? typed.text : textOf(instant, timezone)}
      onChange={(text) => {
        const at = instantOfText(timezone, text);
        const next = at === null ? undefined : new Date(at).toISOString();
        setTyped({ text, instant: next, timezone });
        onChange(next);
      }}
    />
  );
}

const textOf = (instant: string | undefined, timezone: string) =>
  instant === undefined ? '' : localText(timezone, Date.parse(instant));
