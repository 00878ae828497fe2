// What an alert says, as names and values: monitoring tools send JSON of any form.
import { blockOf, type Fact, fit, phraseOf } from './wording.ts';

const ROWS_MAX = 40;
const VALUE_LENGTH_MAX = 1_000;

export type Details = {
  readonly rows: readonly Fact[];
  /** How many more there are. */
  readonly left: number;
  /** Of details that have no names. */
  readonly text: string;
};

/** The names of what is inside something else are joined by points. */
export function detailsOf(details: unknown): Details {
  if (details === null || details === undefined) return { rows: [], left: 0, text: '' };
  if (typeof details !== 'object') return { rows: [], left: 0, text: blockOf(String(details)) };
  const rows = [...rowsIn(details, '')].filter(({ value }) => value !== '');
  return { rows: rows.slice(0, ROWS_MAX), left: Math.max(0, rows.length - ROWS_MAX), text: '' };
}

function* rowsIn(value: unknown, name: string): Generator<Fact> {
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object' || one === null))
    return yield { name: phraseOf(name), value: cut(value.map(String).join(', ')) };
  if (typeof value === 'object' && value !== null) {
    for (const [key, inside] of Object.entries(value))
      yield* rowsIn(inside, name === '' ? key : `${name}.${key}`);
    return;
  }
  yield { name: phraseOf(name), value: cut(value === null ? '' : String(value)) };
}

const cut = (text: string) => fit(blockOf(text), VALUE_LENGTH_MAX);
