import { httpLimits } from '../../limits/http.ts';
import type { Json } from '../alert.ts';
import { spend, TooMuchWork } from '../effort.ts';
import { isObject, storable } from '../text.ts';

const PARSE_WORK = 30;
/** Of a value that is read, or made anew, one by one. */
const VALUE_WORK = 15;

/** A JSON text as a value that can be stored, or why it is none. */
export function parseJson(text: string): { value: Json } | { unreadable: string } {
  spend(PARSE_WORK + text.length);
  if (isDeeperThan(text, httpLimits.bodyDepth))
    return { unreadable: `the body: is nested deeper than ${httpLimits.bodyDepth} levels` };
  try {
    const value = parse(text);
    return { value: isStorable(text) ? value : clean(value) };
  } catch (error) {
    if (error instanceof TooMuchWork) throw error;
    // Else JSON.parse throws nothing but a SyntaxError on text whose depth is bounded.
    const reason = error instanceof Error ? error.message : 'not JSON';
    return { unreadable: `the body: is not JSON (${storable(reason).slice(0, 200)})` };
  }
}

/** One text per value, whatever the order of its keys. */
export function canonical(value: Json): string {
  const text = canonicalText(value);
  spend(text.length);
  return text;
}

function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key] ?? null)}`);
  return `{${members.join(',')}}`;
}

/** A scalar as text, a list or object as its JSON; nothing for null and blank text. */
export function asText(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = typeof value === 'object' ? canonical(value) : String(value);
  return text.trim() === '' ? undefined : text;
}

function parse(text: string): Json {
  // A number that a double would round keeps its digits as text. Only a text with so many digits
  // in a row is read the slow way.
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const read = (_key: string, value: Json, context: { source?: string }): Json => {
    spend(VALUE_WORK);
    return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
      ? (context.source ?? value)
      : value;
  };
  // The library's types do not know the third argument yet.
  return JSON.parse(text, read as (key: string, value: Json) => Json);
}

/** How many lists and objects a JSON text has, without parsing it. */
export function structuresIn(text: string): number {
  let count = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (quoted && code === BACKSLASH) index += 1;
    else if (code === QUOTE) quoted = !quoted;
    else if (!quoted && (code === BRACKET || code === BRACE)) count += 1;
  }
  return count;
}

/** Looked at before parsing, so that no depth can exhaust the stack. */
export function isDeeperThan(text: string, max: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (quoted) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) quoted = false;
    } else if (code === QUOTE) quoted = true;
    else if (code === BRACKET || code === BRACE) {
      depth += 1;
      if (depth > max) return true;
    } else if (code === BRACKET + 2 || code === BRACE + 2) depth -= 1;
  }
  return false;
}

const QUOTE = 0x22;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;

/**
 * Whether nothing in it has to be changed to be stored: NUL and halves of surrogate pairs come by
 * escapes alone where the text itself is well-formed. Hardly any text has such escapes, and to make
 * every object anew takes several times as long as to parse it.
 */
const isStorable = (text: string): boolean =>
  text.isWellFormed() && !/\\u(?:0000|[dD][89a-fA-F])/.test(text);

/** Without what the database cannot hold. */
export function clean(value: Json): Json {
  spend(VALUE_WORK);
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(clean);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [storable(key), clean(member)]),
  );
}
