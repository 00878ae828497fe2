import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsOf } from './instants.ts';
import { sentenceText } from './sentence-text.ts';

test('the times in a sentence stand apart from its text', () => {
  assert.deepEqual(
    partsOf('Ada muted it until 2026-11-22T08:00:00Z, at 2026-11-21T09:03:00.125Z'),
    [
      { text: 'Ada muted it until ' },
      { at: '2026-11-22T08:00:00Z' },
      { text: ', at ' },
      { at: '2026-11-21T09:03:00.125Z' },
    ],
  );
  assert.deepEqual(partsOf('Nobody from 2026-11-30T09:00+01:00 on'), [
    { text: 'Nobody from ' },
    { at: '2026-11-30T09:00+01:00' },
    { text: ' on' },
  ]);
  assert.deepEqual(partsOf('2026-11-22 is no time'), [{ text: '2026-11-22 is no time' }]);
  assert.deepEqual(partsOf(''), []);
  for (const no of ['0000-00-00T00:00:00Z', '2026-13-01T09:00Z', '2026-11-30T09:00+99:99'])
    assert.deepEqual(partsOf(no), [{ text: no }]);
});

test('a record is named without its id', () => {
  const name = (text: string) => partsOf(`The rule "${text}" still uses it.`);
  const id = 'a1'.repeat(12);
  assert.deepEqual(partsOf(`The rule "Night" (${id}) still uses it.`), name('Night'));
  assert.deepEqual(name(`Night (${id})`), [{ text: `The rule "Night (${id})" still uses it.` }]);
});

test('a sentence as plain text has the times of the reader, and nothing hidden', () => {
  const [hour, other] = [new Date(2026, 10, 23, 9, 5), new Date(2026, 10, 24, 9, 5)];
  const text = (at: Date) => sentenceText(`a\u202e at ${at.toISOString()}`, hour.getTime());
  assert.match(text(hour), /^a\[U\+202E\] at 0?9:05/);
  assert.match(text(other), /24.*9:05/);
});
