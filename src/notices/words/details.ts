// What an alert says, as names and values: monitoring tools send JSON of any form.
import { sendingLimits } from '../../limits/sending.ts';
import { english, type Phrases } from './en.ts';
import { blockOf, type Fact, fit, phraseOf } from './wording.ts';

const ROWS_MAX = 40;
const NAME_LENGTH_READ = 1_000;
const VALUE_LENGTH_MAX = 1_000;
// Every notice has them, and is written in the thread of the engine: what is not shown is not read.
const VALUES_READ = 1_000;
const ITEMS_READ = 1_000;
const VALUE_LENGTH_READ = 4 * VALUE_LENGTH_MAX;
const TEXT_LENGTH_READ = 100_000;

export type Details = {
  readonly rows: readonly Fact[];
  /** How many more there are; very many are not counted. */
  readonly left: number | 'many';
  /** Of details that have no names. */
  readonly text: string;
};

/** The names of what is inside something else are joined by points. */
export function detailsOf(details: unknown): Details {
  if (details === null || details === undefined) return { rows: [], left: 0, text: '' };
  if (typeof details !== 'object')
    return { rows: [], left: 0, text: startOf(String(details), TEXT_LENGTH_READ) };
  const rows: Fact[] = [];
  let count = 0;
  let left = 0;
  for (const { name, value } of valuesIn(details, '')) {
    count += 1;
    if (count > VALUES_READ) return { rows, left: 'many', text: '' };
    if (value === '') continue;
    if (rows.length === ROWS_MAX) {
      left += 1;
      continue;
    }
    const shown = fit(startOf(value, VALUE_LENGTH_READ), VALUE_LENGTH_MAX);
    if (shown !== '') rows.push({ name: phraseOf(name), value: shown });
  }
  return { rows, left, text: '' };
}

/** Names and values, and the same as text for what shows no tables. */
export function shownDetails(
  details: unknown,
  { more }: Pick<Phrases, 'more'> = english,
): { details: string; rows?: readonly Fact[] } {
  const { rows, left, text } = detailsOf(details);
  const lines = rows.map(({ name, value }) => `${name}: ${value}`);
  const all = rows.length === 0 ? text : [...lines, ...(left === 0 ? [] : [more(left)])].join('\n');
  const isCut = all.length > sendingLimits.details;
  const written = isCut ? `${all.slice(0, sendingLimits.details)}…`.toWellFormed() : all;
  return { details: written, ...(!isCut && left === 0 && rows.length > 0 && { rows }) };
}

/** As they were sent; what has others inside is empty, and comes before them. */
function* valuesIn(value: unknown, name: string): Generator<Fact> {
  if (typeof value !== 'object' || value === null)
    return yield { name, value: value === null ? '' : String(value) };
  if (Array.isArray(value)) {
    const items = value.slice(0, ITEMS_READ);
    if (items.every((one) => typeof one !== 'object' || one === null))
      return yield { name, value: items.map(String).join(', ') };
  }
  yield { name, value: '' };
  for (const [key, inside] of entriesOf(value)) yield* valuesIn(inside, nameIn(name, key));
}

/** One by one, unlike those of `Object.entries`. */
function* entriesOf(value: object): Generator<[key: string, inside: unknown]> {
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) yield [String(index), one];
    return;
  }
  for (const key of Object.keys(value)) yield [key, Reflect.get(value, key)];
}

const nameIn = (name: string, key: string) =>
  (name === '' ? key : `${name}.${key}`).slice(0, NAME_LENGTH_READ);

/** Clean; of a longer text its start. */
const startOf = (text: string, max: number) =>
  text.length <= max ? blockOf(text) : `${blockOf(text.slice(0, max))}…`;
