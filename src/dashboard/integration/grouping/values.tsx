// The values by which alerts are grouped, one a row.
import { useId, useRef } from 'react';
import { pathOfMember } from '../../form/parts.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { nextValue, pickedOf, picksFor, valueOfPath } from './grouping.ts';
import { words } from './words.ts';

type ValuesProps = {
  /** Whether tools send groups of their own. */
  hasGroups: boolean;
  by: readonly string[];
  /** At which the API names it in its problems. */
  path: string;
  /** Paths in the details that are offered. */
  keys: readonly string[] | undefined;
  mayBeEmpty?: boolean;
  onChange: (by: readonly string[]) => void;
};

export function Values({ hasGroups, by, path, keys, mayBeEmpty, onChange }: ValuesProps) {
  const list = useRef<HTMLUListElement>(null);
  const suggestions = useId();
  return (
    <>
      <ul ref={list} tabIndex={-1} className="flex flex-col gap-3">
        {by.map((value, index) => (
          // They have no other name than their place, and do not move.
          <li key={index} className="flex items-start gap-2">
            <div className="grid min-w-0 flex-1 gap-x-3 gap-y-2 sm:grid-cols-2">
              <Value
                options={picksFor({ hasGroups, by }, index)}
                value={value}
                index={index}
                suggestions={suggestions}
                path={pathOfMember(path, index)}
                onChange={(next) => onChange(by.with(index, next))}
              />
            </div>
            <IconButton
              icon="x"
              label={words.remove(index + 1)}
              className="mt-6"
              disabled={by.length === 1 && !mayBeEmpty}
              onClick={() => {
                onChange(by.toSpliced(index, 1));
                // The button goes, and the focus would be nowhere.
                list.current?.focus();
              }}
            />
          </li>
        ))}
      </ul>
      <Button
        icon="plus"
        className="self-start"
        onClick={() => onChange([...by, nextValue({ hasGroups, by })])}
      >
        {words.add}
      </Button>
      <datalist id={suggestions}>
        {keys?.map((key) => (
          <option key={key} value={key} />
        ))}
      </datalist>
    </>
  );
}

type ValueProps = {
  value: string;
  index: number;
  /** At which the API names it in its problems. */
  path: string;
  options: ReturnType<typeof picksFor>;
  suggestions: string;
  onChange: (value: string) => void;
};

function Value({ value, index, path, options, suggestions, onChange }: ValueProps) {
  const { pick, path: inside } = pickedOf(value);
  return (
    <>
      <SelectField
        path={inside === null ? path : ''}
        label={words.value(index + 1)}
        value={pick}
        options={options}
        onChange={onChange}
      />
      {inside !== null && (
        <TextField
          path={path}
          label={words.pathOf(index + 1)}
          help={words.pathHelp}
          list={suggestions}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={inside}
          onChange={(typed) => onChange(valueOfPath(typed))}
        />
      )}
    </>
  );
}
