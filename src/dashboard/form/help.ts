// The help of a field, from its description in the declaration, which speaks to programs.
import { labelText } from '../../resources/priorities.ts';
import { labelOf } from './labels.ts';

type Change = readonly [pattern: RegExp, change: string | ((...matches: string[]) => string)];

const changes: readonly Change[] = [
  [/If (?:empty or )?absent, there is no limit\./g, 'Leave empty for no limit.'],
  [/If (?:empty or )?absent, (all [^.]+)\./g, 'Leave empty for $1.'],
  [/If (?:empty or )?absent, /g, 'If empty, '],
  [/If false, /g, 'If off, '],
  // Fields that exclude each other are not shown together, and a field for times needs no format.
  [/ Use this or [a-z_]+\./g, ''],
  [/,? HH:MM(?:, such as \d\d:\d\d)?/g, ''],
  [/ Requires ([a-z_]+)\./g, (_, name = '') => ` Requires “${labelOf(name)}”.`],
  [/\b(?:p|sev)[1-5]\b/g, labelText],
];

export const helpText = (description: string): string =>
  changes.reduce(
    (text, [pattern, change]) =>
      typeof change === 'string' ? text.replace(pattern, change) : text.replace(pattern, change),
    description,
  );
