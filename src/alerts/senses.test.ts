import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTrouble, senseOf, termOf, words } from './senses.ts';

test('a word stands in one list, and once', () => {
  const listed = Object.entries(words).flatMap(([sense, list]) =>
    list.split(/\s+/).map((word) => [termOf(word, '_'), `${word} (${sense})`] as const),
  );
  const first = new Map(listed.toReversed());
  const twice = listed.filter(([term, where]) => first.get(term) !== where);
  assert.deepEqual(twice, []);
});

test('a term is known however its parts are put together', () => {
  for (const written of ['No data', 'NO_DATA', 'no-data', 'NoData', 'nodata'])
    assert.equal(senseOf(written), 'trouble', written);
  assert.equal(senseOf('backup'), 'kind');
  assert.equal(senseOf('back up'), 'well');
});

test('re- before a word is a reminder of it', () => {
  for (const written of ['Re-Triggered', 'Re-Warn', 'Re-No Data', 're-opened'])
    assert.equal(senseOf(written), 'trouble', written);
  assert.equal(senseOf('Re-Resolved'), 'end');
  assert.equal(senseOf('re-index'), undefined);
});

test('words of trouble are those that say or deny a state, and more', () => {
  for (const word of ['down', 'not', 'but', 'battery', 'GONE', 'stopped'])
    assert.ok(isTrouble(word), word);
  for (const word of ['up', 'web', 'all', 'alert']) assert.ok(!isTrouble(word), word);
});
