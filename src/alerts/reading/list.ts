// A list of alerts: what of it cannot be read is noted, and the others count.
import { type AlertEvent, type Json, type Reading, tooMany } from '../alert.ts';
import { isObject } from '../text.ts';

/** What each element of a list was read as, as one. */
export function combined<Read extends Reading>(readings: readonly Read[]): Read | Reading {
  const [first] = readings;
  if (readings.length === 1 && first !== undefined) return first;
  const alerts: AlertEvent[] = [];
  const unread: string[] = [];
  let note: string | undefined;
  for (const [index, reading] of readings.entries()) {
    if ('unreadable' in reading) unread.push(placedAt(index, reading.unreadable));
    else {
      alerts.push(...reading.alerts);
      note ??= reading.note;
    }
  }
  if (unread.length === readings.length) return { unreadable: unread[0] ?? '' };
  const refusal = tooMany(alerts.length, 'the body');
  if (refusal !== undefined) return refusal;
  return noted(noted({ alerts }, unreadNote(unread, readings.length)), note);
}

const ofBody = /^the body: /;

const placedAt = (index: number, reason: string): string =>
  ofBody.test(reason) ? reason.replace(ofBody, `[${index}]: `) : `[${index}].${reason}`;

/** What of a list is no object, each with its place. */
export const notObjects = (list: readonly Json[], path: string): readonly string[] =>
  list.flatMap((one, index) => (isObject(one) ? [] : [`${path}[${index}]: must be an object`]));

/** `unread`: what of a list cannot be read, each with its place. */
export const unreadNote = ([first, ...others]: readonly string[], count: number) =>
  first && `${others.length + 1} of ${count} in the list cannot be read: ${first}`;

/** How many alerts a message says that its sender left out; undefined: it does not say. */
export function omittedOf(value: Json | undefined): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const count = Number(value);
  return Number.isFinite(count) ? Math.max(0, Math.floor(count)) : undefined;
}

/** `max_alerts`, or a limit of the tool's own: what is left out comes with no other request. */
export const cutNote = (count: number): string =>
  count === 1
    ? 'the sender omitted 1 more alert of this group'
    : `the sender omitted ${count} more alerts of this group`;

/** With a note more, behind what is noted already. */
export function noted<Read extends Reading>(reading: Read, note: string | undefined): Read {
  if (note === undefined || 'unreadable' in reading) return reading;
  return { ...reading, note: reading.note === undefined ? note : `${reading.note}; ${note}` };
}
