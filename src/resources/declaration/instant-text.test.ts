import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { storedInstant } from '../instant.ts';
import { millisecondsOf } from './instant-text.ts';

const two = (most: number) =>
  fc.integer({ min: 0, max: most }).map((each) => String(each).padStart(2, '0'));
const fraction = fc.constantFrom('', '.5', ',123456789', '.999999999', '.1234567890');
const clock = fc
  .tuple(two(25), fc.constantFrom(':', ''), two(61), two(61), fraction, fc.nat(3))
  .map(([hour, mark, minute, second, rest, count]) =>
    [hour, `${mark}${minute}`, `${mark}${second}`, rest].slice(0, count + 1).join(''),
  );
const day = fc
  .tuple(
    fc.constantFrom('2026', '2024', '1900', '0000', '9999', '+002026', '-000001', '+010000'),
    fc.constantFrom('-', ''),
    two(13),
    two(32),
  )
  .map(([year, mark, month, date]) => [year, month, date].join(mark));
const offset = fc.oneof(
  fc.constantFrom('Z', 'z', '', '+', '[UTC]'),
  fc.tuple(fc.constantFrom('+', '-'), clock).map((both) => both.join('')),
);
const written = fc
  .tuple(day, fc.constantFrom('T', 't', ' ', ''), clock, offset)
  .map((all) => all.join(''));
/** A letter of it is another one. */
const mistyped = fc
  .tuple(written, fc.nat(40), fc.constantFrom('', '0', '9', ':', '-', 'T', 'Z', '.', ' '))
  .map(([text, at, put]) => `${text.slice(0, at)}${put}${text.slice(at + 1)}`);

test('a time is read without Temporal as Temporal reads it', () => {
  const read = (text: string) => {
    try {
      const instant = storedInstant(text);
      return /^\d/.test(instant.toString()) ? instant.epochMilliseconds : null;
    } catch {
      return null;
    }
  };
  for (const texts of [written, mistyped])
    fc.assert(
      fc.property(texts, (text) => assert.equal(millisecondsOf(text), read(text), text)),
      { numRuns: 5_000 },
    );
});

const cases: readonly [text: string, stored: string | null][] = [
  ['2026-01-31T09:00:00Z', '2026-01-31T09:00:00.000Z'],
  ['2026-01-31t09:00+01:00', '2026-01-31T08:00:00.000Z'],
  ['2026-01-31 09:00:00.9999Z', '2026-01-31T09:00:00.999Z'],
  ['2026-01-31T09:00:00+01:00[Europe/Berlin]', '2026-01-31T08:00:00.000Z'],
  ['2026-12-31T23:59:60Z', '2026-12-31T23:59:59.000Z'],
  ['1969-12-31T23:59:59.9995Z', '1969-12-31T23:59:59.999Z'],
  ['2026-01-31T09:00:00', null],
  ['2026-01-31', null],
  ['2026-02-29T09:00:00Z', null],
  ['2026-13-01T09:00:00Z', null],
  ['2026-01-31T24:00:00Z', null],
  ['2026-01-31T09:00:00+1:00', null],
  ['tomorrow', null],
  ['', null],
];
for (const [text, stored] of cases)
  test(`${JSON.stringify(text)} is ${stored ?? 'not a time'}`, () => {
    const at = millisecondsOf(text);
    assert.equal(at === null ? null : new Date(at).toISOString(), stored);
  });
