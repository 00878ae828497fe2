// Values inside an incident's details, which came from outside: any JSON at all.
import { isCut } from '../alerts/cut.ts';
import { spend } from '../alerts/effort.ts';
import { type Facts, memoOf, type Text, textOf } from './facts.ts';

/**
 * The value at a dotted path, undefined if there is none. At each level the rest of the path is
 * tried as one name first, for names may have dots themselves; lists go by index, from 0.
 */
function detailValue(details: unknown, path: string): unknown {
  let value = details;
  let rest = path;
  while (!hasMember(value, rest)) {
    const dot = rest.indexOf('.');
    const first = rest.slice(0, Math.max(dot, 0));
    if (dot < 0 || !hasMember(value, first)) return undefined;
    value = value[first];
    rest = rest.slice(dot + 1);
  }
  return value[rest];
}

/** The same, without what says nothing: null and the empty text. */
export function presentValue(details: unknown, path: string): unknown {
  const value = detailValue(details, path);
  return value === null || value === '' ? undefined : value;
}

/** Own properties alone; of a list only its members. */
function hasMember(value: unknown, name: string): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, name) && (!Array.isArray(value) || /^\d+$/.test(name));
}

/** A text as it is, anything else as its JSON; null: there is nothing at the path. */
export function detailText(details: unknown, path: string): string | null {
  const value = detailValue(details, path);
  if (value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether the value at the path was longer, or may have been there, before the details were cut. */
export function isCutAt(details: unknown, path: string): boolean {
  if (!isCut(details)) return false;
  const value = detailValue(details, path);
  return value === undefined || isCut(value);
}

/** The first characters of the same, at most so many; empty if there is nothing. */
export function detailStart(details: unknown, path: string, length: number): string {
  const value = detailValue(details, path);
  if (value === undefined) return '';
  return (typeof value === 'string' ? value : jsonStart(value, length)).slice(0, length);
}

/** JSON from its beginning to where it is as long: what is large is not written to its end. */
function jsonStart(value: unknown, length: number): string {
  if (length <= 0) return '';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, length));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  for (const [name, one] of isList ? value.entries() : fieldsOf(value)) {
    if (text.length >= length) return text;
    if (text.length > 1) text += ',';
    if (!isList) text += `${JSON.stringify(String(name).slice(0, length))}:`;
    text += jsonStart(one, length - text.length);
  }
  return text + (isList ? ']' : '}');
}

/** One by one, for there may be very many. */
function* fieldsOf(value: object): Generator<[string, unknown]> {
  // Parsed from JSON: nothing is inherited that a loop would find.
  for (const name in value) yield [name, (value as Record<string, unknown>)[name]];
}

const PATH_WORK = 10;
const CHARACTER_WORK = 1 / 4;

/** Its whole text, remembered for other rules that ask for it. */
export function detailOf(facts: Facts, path: string): Text | null {
  const { details } = memoOf(facts);
  const known = details.get(path);
  if (known !== undefined) return known;
  const plain = detailText(facts.details, path);
  spend(PATH_WORK + (plain?.length ?? 0) * CHARACTER_WORK);
  const text = plain === null ? null : textOf(plain);
  details.set(path, text);
  return text;
}
