// What an alert says, as names and values: monitoring tools send JSON of any form.
import { sendingLimits } from '../../limits/sending.ts';
import { alertCard, type Shown } from '../../resources/alert-card.ts';
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
  /** Whether the first of them says what is wrong. */
  readonly isDescribed: boolean;
  /** How many more there are; very many are not counted. */
  readonly left: number | 'many';
  /** Of details that have no names. */
  readonly text: string;
};

/**
 * The names of what is inside something else are joined by points. What is wrong comes first, then
 * labels and annotations, whose names need no path.
 */
export function detailsOf(details: unknown, shown: Shown = {}): Details {
  if (details === null || details === undefined) return nothing;
  if (typeof details !== 'object')
    return { ...nothing, text: startOf(String(details), TEXT_LENGTH_READ) };
  const read: Fact[] = [];
  let count = 0;
  for (const one of valuesIn(details, '')) {
    count += 1;
    if (count > VALUES_READ) break;
    if (one.value !== '') read.push(one);
  }
  const { description, labels, annotations, rest } = alertCard(read, shown);
  const rows: Fact[] = [];
  let left = 0;
  for (const { name, value } of [description ?? [], labels, annotations, rest].flat()) {
    if (rows.length === ROWS_MAX) {
      left += 1;
      continue;
    }
    const written = fit(startOf(value, VALUE_LENGTH_READ), VALUE_LENGTH_MAX);
    if (written !== '') rows.push({ name: phraseOf(name), value: written });
  }
  const isDescribed = description !== null && rows.length > 0;
  return { rows, isDescribed, left: count > VALUES_READ ? 'many' : left, text: '' };
}

const nothing: Details = { rows: [], isDescribed: false, left: 0, text: '' };

/** Names and values, and the same as text for what shows no tables. */
export function shownDetails(
  details: unknown,
  { more }: Pick<Phrases, 'more'> = english,
  shown: Shown = {},
): { details: string; rows?: readonly Fact[]; isDescribed?: boolean } {
  const { rows, left, text, isDescribed } = detailsOf(details, shown);
  const lines = rows.map(({ name, value }) => `${name}: ${value}`);
  const all = rows.length === 0 ? text : [...lines, ...(left === 0 ? [] : [more(left)])].join('\n');
  const isCut = all.length > sendingLimits.details;
  const written = isCut ? `${all.slice(0, sendingLimits.details)}…`.toWellFormed() : all;
  const isWhole = !isCut && left === 0 && rows.length > 0;
  return { details: written, ...(isWhole && { rows, isDescribed }) };
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
