// The beginning of what an event contains, for when there is no room to store all of it.
import type { Json, JsonObject, Link, Mail } from './alert.ts';
import { beginningOf, isObject } from './text.ts';

const MARK = '…';

/** At most so many characters; what is cut ends in a mark. */
export function textWithin(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${beginningOf(text, Math.max(0, most - MARK.length))}${MARK}`;
}

/** At most so many bytes, without part of a UTF-8 character at the end. */
export function bytesWithin(bytes: Uint8Array, most: number): Uint8Array {
  if (bytes.byteLength <= most) return bytes;
  let end = most;
  // Bytes that continue a character begin with the bits 10; a character has three of them at most.
  while (end > most - 3 && end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  const isText = ((bytes[end] ?? 0) & 0xc0) !== 0x80;
  return bytes.subarray(0, isText ? end : most);
}

/**
 * At most so many characters of JSON. Members stay in their order, and none takes more than half of
 * what is left, so that a large one leaves room for those after it.
 */
export function jsonWithin(value: Json, most: number): Json {
  if (lengthOf(value, most) <= most) return value;
  if (typeof value === 'string') return stringWithin(value, most);
  if (typeof value !== 'object' || value === null) return MARK;
  const fitting = membersWithin(Object.entries<Json>(value as JsonObject), most - MARKED);
  return isObject(value)
    ? Object.fromEntries([...fitting, [MARK, NOT_STORED]])
    : [...fitting.map(([, member]) => member), MARK];
}

/** Whether these details are what `jsonWithin` left of larger ones. */
export function isCut(details: unknown): boolean {
  if (typeof details === 'string') return details.endsWith(MARK);
  if (Array.isArray(details)) return details.at(-1) === MARK;
  return typeof details === 'object' && details !== null && MARK in details;
}

function membersWithin(members: readonly [string, Json][], most: number): [string, Json][] {
  const fitting: [string, Json][] = [];
  let left = most;
  for (const [name, member] of members) {
    if (left < WORTH_SHOWING) break;
    const room = Math.floor(left / 2);
    const taken = lengthOf(name, room) + SEPARATORS;
    if (room - taken < WORTH_SHOWING) {
      // Many long names take no time either.
      left -= SEPARATORS;
      continue;
    }
    const part = jsonWithin(member, room - taken);
    fitting.push([name, part]);
    left -= taken + lengthOf(part, left);
  }
  return fitting;
}

/** Characters of its JSON, counted no further than to where they are more than `most`. */
function lengthOf(value: Json, most: number): number {
  if (typeof value === 'string')
    return value.length + 2 > most ? value.length + 2 : JSON.stringify(value).length;
  if (typeof value !== 'object' || value === null) return String(value).length;
  const names = Object.keys(value);
  // Brackets and commas.
  let length = 2 + Math.max(0, names.length - 1);
  for (const name of names) {
    if (length > most) break;
    if (isObject(value)) length += lengthOf(name, most - length) + 1;
    length += lengthOf((value as JsonObject)[name] ?? null, most - length);
  }
  return length;
}

const NOT_STORED = 'The rest is not stored.';
/** The braces, and the member that says that it was cut. */
const MARKED = JSON.stringify({ [MARK]: NOT_STORED }).length;
/** A colon and a comma. */
const SEPARATORS = 2;
/** Less room is not worth a name. */
const WORTH_SHOWING = 16;

/** Escapes make a text longer in JSON, up to six times. */
function stringWithin(text: string, most: number): string {
  let cut = textWithin(text, Math.max(0, most - 2));
  while (cut.length > 1) {
    const { length } = JSON.stringify(cut);
    if (length <= most) break;
    cut = textWithin(cut, Math.floor((cut.length * (most - 2)) / length));
  }
  return cut;
}

/** The first of them. */
export function linksWithin(links: readonly Link[], most: number): readonly Link[] {
  let left = most;
  const fitting: Link[] = [];
  for (const link of links) {
    left -= JSON.stringify(link).length;
    if (left < 0) break;
    fitting.push(link);
  }
  return fitting;
}

/** Those that fit, in their order. */
export function headersWithin(
  headers: Readonly<Record<string, string>>,
  most: number,
): Readonly<Record<string, string>> {
  let left = most;
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => {
      const size = name.length + value.length;
      if (size > left) return false;
      left -= size;
      return true;
    }),
  );
}

type MailRoom = { readonly text: number; readonly heading: number };

export const mailWithin = (mail: Mail, { text, heading }: MailRoom): Mail => ({
  subject: textWithin(mail.subject, heading),
  from: textWithin(mail.from, heading),
  text: textWithin(mail.text, text),
  headers: headersWithin(mail.headers, heading),
});
