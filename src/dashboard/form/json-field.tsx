import { useState } from 'react';
import { TextArea } from '../ui/field.tsx';

type JsonFieldProps = {
  path: string;
  label: string;
  help: string;
  value: unknown;
  onChange: (value: unknown) => void;
};

/** What is no JSON is kept as the text that it is, and refused at its field. */
export function JsonField({ value, onChange, ...named }: JsonFieldProps) {
  const [text, setText] = useState(() =>
    value === undefined ? '' : JSON.stringify(value, null, 2),
  );
  return (
    <TextArea
      {...named}
      value={text}
      onChange={(typed) => {
        setText(typed);
        onChange(typed.trim() === '' ? undefined : parsed(typed));
      }}
    />
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
