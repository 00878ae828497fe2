// The key in a body whose sender is not known yet. Nothing is parsed for a stranger: that takes many
// times as long, and as much memory, as to look through the bytes once.

import { partsIn } from '../../alerts/body/form.ts';
import { accessLimits } from '../../limits/access.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [BRACKET, BRACE] = [0x5b, 0x7b];
/** Of a member or field, with the spaces before its value. */
const READ_AHEAD = 2 * accessLimits.adoptedKeyMax;
const VALUE = /^\s{0,64}:\s{0,64}"([^"\\]+)"/;

/**
 * A member of the outermost object, or a field of a form; of several the one whose name comes first.
 * Null: there is none of these names.
 */
export function keyInBody(body: Buffer, names: readonly string[]): string | null {
  const start = body.toString('latin1', 0, 64).trimStart();
  if (start.startsWith('{') || start.startsWith('\xef\xbb\xbf{')) return memberIn(body, names);
  return start.startsWith('--') ? partIn(body, names) : fieldIn(body, names);
}

function memberIn(body: Buffer, names: readonly string[]): string | null {
  const first: { name: number; key: string | null } = { name: names.length, key: null };
  for (const [name, value] of membersIn(body, names)) {
    const place = names.indexOf(name);
    if (place < first.name) [first.name, first.key] = [place, value];
    if (first.name === 0) break;
  }
  return first.key;
}

/** Members of the outermost object that have these names and are texts, one by one. */
export function* membersIn(
  body: Buffer,
  names: readonly string[],
): Generator<readonly [name: string, value: string]> {
  const lengths = new Set(names.map(({ length }) => length));
  let depth = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === BRACKET || byte === BRACE) depth += 1;
    else if (byte === BRACKET + 2 || byte === BRACE + 2) depth -= 1;
    else if (byte === QUOTE) {
      const end = endOfText(body, at + 1);
      const mayBeNamed = depth === 1 && lengths.has(end - at - 1);
      const name = mayBeNamed ? body.toString('latin1', at + 1, end) : '';
      if (names.includes(name)) {
        const value = VALUE.exec(body.toString('latin1', end + 1, end + 1 + READ_AHEAD));
        if (value?.[1] !== undefined) yield [name, value[1]];
      }
      at = end;
    }
  }
}

function endOfText(body: Buffer, from: number): number {
  let at = from;
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
  return at;
}

function partIn(body: Buffer, names: readonly string[]): string | null {
  const first: { name: number; key: string | null } = { name: names.length, key: null };
  for (const [named, value] of partsIn(body.toString('latin1').trimStart())) {
    const name = names.indexOf(named);
    const isKey = value !== '' && value.length <= READ_AHEAD;
    if (isKey && name >= 0 && name < first.name) [first.name, first.key] = [name, value];
    if (first.name === 0) break;
  }
  return first.key;
}

function fieldIn(body: Buffer, names: readonly string[]): string | null {
  const text = body.toString('latin1');
  for (const name of names) {
    const [, written] = new RegExp(`(?:^|&)${name}=([^&\\s]{1,${READ_AHEAD}})`).exec(text) ?? [];
    const value = new URLSearchParams(`key=${written ?? ''}`).get('key');
    if (value) return value;
  }
  return null;
}
