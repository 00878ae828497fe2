import { eventsLimits } from '../limits/events.ts';
import type { About, Json, JsonObject } from './alert.ts';
import { spend } from './effort.ts';
import { shortHash } from './hash.ts';

const KEY_PREFIX_LENGTH = 450;
const LINE_WORK = 10;

/** The text without what the database cannot hold: NUL and halves of surrogate pairs. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

/** Whether nothing of it is seen: marks of direction and of width are no text. */
export const isBlank = (text: string): boolean =>
  /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);

/** The text on one line, with single spaces; nothing of a blank one. */
export function oneLine(text: string): string {
  spend(LINE_WORK + text.length);
  const line = storable(text)
    .replace(/[\s\u0001-\u001f\u007f]+/g, ' ')
    .trim();
  return isBlank(line) ? '' : line;
}

/** What an alert without a title is called. */
export function nameOf(about: About): string {
  return oneLine(about.integrationName) || 'Alert';
}

/** At most 200 characters of a one-line text, cut between words where there is a place. */
export function titleOf(line: string): string {
  if (line.length <= eventsLimits.titleLength) return line;
  const characters = Array.from(line.slice(0, (eventsLimits.titleLength + 1) * 2));
  if (characters.length <= eventsLimits.titleLength) return line;
  const space = characters.lastIndexOf(' ', eventsLimits.titleLength);
  // One endless word would otherwise leave a title of a few letters.
  const end = space > eventsLimits.titleLength / 2 ? space : eventsLimits.titleLength;
  return characters.slice(0, end).join('').trimEnd();
}

/** A dedup key of a length that an index can hold; different texts keep different keys. */
export function keyOf(text: string): string {
  const key = storable(text).trim();
  if (key.length <= eventsLimits.keyLength) return key;
  return `${beginningOf(key, KEY_PREFIX_LENGTH)}#${shortHash(key)}`;
}

/** At most so many characters, without half of a surrogate pair at the end. */
export const beginningOf = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\ud800-\udbff]$/, '');

/** The details, with the whole title where the one that is shown had to be cut. */
export function withWholeTitle(line: string, details: Json | undefined): Json | undefined {
  if (titleOf(line) === line) return details;
  if (details === undefined || details === null || details === '') return line;
  if (typeof details === 'string')
    return oneLine(details).startsWith(line) ? details : `${line}\n\n${details}`;
  if (isObject(details) && !Object.hasOwn(details, 'title')) return { title: line, ...details };
  return { title: line, body: details };
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
