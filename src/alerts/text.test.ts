import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keyOf, oneLine, storable, titleOf, withWholeTitle } from './text.ts';

test('a title is cut between words, by characters', () => {
  const cases = [
    { input: 'short', want: 'short' },
    { input: `${'word '.repeat(39)}words`, want: `${'word '.repeat(39)}words` },
    { input: `${'word '.repeat(40)}end`, want: 'word '.repeat(40).trim() },
    { input: `${'word '.repeat(39)}longer end`, want: 'word '.repeat(39).trim() },
    { input: 'x'.repeat(300), want: 'x'.repeat(200) },
    { input: `a ${'x'.repeat(300)}`, want: `a ${'x'.repeat(198)}` },
    { input: '🔥'.repeat(200), want: '🔥'.repeat(200) },
    { input: '🔥'.repeat(201), want: '🔥'.repeat(200) },
  ];
  for (const { input, want } of cases) assert.equal(titleOf(input), want);
});

test('a title never exceeds its length nor breaks a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 700 }), (text) => {
      const line = oneLine(text);
      const title = titleOf(line);
      assert.ok(Array.from(title).length <= 200);
      assert.ok(title.isWellFormed());
      assert.ok(line.startsWith(title));
    }),
  );
});

test('long keys stay different and short ones as they are', () => {
  const long = 'k'.repeat(600);
  assert.equal(keyOf(' key '), 'key');
  assert.equal(keyOf('k'.repeat(500)), 'k'.repeat(500));
  assert.ok(keyOf(long).length <= 500);
  assert.notEqual(keyOf(`${long}a`), keyOf(`${long}b`));
  assert.ok(keyOf(`${'k'.repeat(449)}${'🔥'.repeat(100)}`).isWellFormed());
});

test('what the database cannot hold is replaced', () => {
  assert.equal(storable('a\0b\ud800c'), 'a\ufffdb\ufffdc');
  assert.equal(oneLine(' a\r\n\tb\u0007  c '), 'a b c');
});

test('a cut title stays whole in the details', () => {
  const line = 'word '.repeat(50).trim();
  const cases = [
    { details: undefined, want: line },
    { details: 'more', want: `${line}\n\nmore` },
    { details: `${line}\nmore`, want: `${line}\nmore` },
    { details: { a: 1 }, want: { title: line, a: 1 } },
    { details: { title: 'other' }, want: { title: line, body: { title: 'other' } } },
    { details: [1], want: { title: line, body: [1] } },
  ];
  for (const { details, want } of cases) assert.deepEqual(withWholeTitle(line, details), want);
  assert.equal(withWholeTitle('short', undefined), undefined);
});
