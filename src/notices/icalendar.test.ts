import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { icalendarOf, textValue, timeValue } from './icalendar.ts';
import { blockOf } from './words/wording.ts';

const written = (text: string) =>
  icalendarOf({ name: 'VCALENDAR', properties: { SUMMARY: textValue(text) } });
const read = (file: string) =>
  new ICAL.Component(ICAL.parse(file)).getFirstPropertyValue('summary');

const tricky = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\\',
      ';',
      ',',
      ':',
      '"',
      '\n',
      '\r\n',
      ' ',
      '\t',
      'é',
      '漢',
      '👩‍👩‍👧',
      '\ud800',
      '\0',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 300,
});

test('any text is read back as it was, but for what no line of text may hold', () => {
  fc.assert(
    fc.property(tricky, (text) => {
      assert.equal(read(written(text)), blockOf(text));
    }),
  );
});

test('no line is longer than 75 octets, and none breaks a character', () => {
  fc.assert(
    fc.property(tricky, (text) => {
      const file = written(text);
      assert.ok(file.endsWith('\r\n'));
      for (const line of file.split('\r\n')) {
        assert.ok(Buffer.byteLength(line) <= 75, line);
        assert.ok(line.isWellFormed());
        assert.ok(!/[\r\n]/.test(line));
      }
    }),
  );
});

test('a line of 75 octets stays one line, and of 76 becomes two', () => {
  const linesOf = (length: number) => written('x'.repeat(length - 'SUMMARY:'.length)).split('\r\n');
  assert.equal(linesOf(75).length, linesOf(9).length);
  assert.equal(linesOf(76).length, linesOf(9).length + 1);
});

test('times are in UTC, to the second', () => {
  assert.equal(
    timeValue(Temporal.Instant.from('2026-03-29T01:30:07.999+02:00')),
    '20260328T233007Z',
  );
});
