import assert from 'node:assert/strict';
import { test } from 'node:test';

const noon = Temporal.Instant.from('2026-03-02T12:00:00Z');
const later = noon.add({ minutes: 1 });

test('times that differ are not equal, wherever they are', () => {
  assert.notDeepEqual(noon, later);
  assert.notDeepEqual([{ at: noon }], [{ at: later }]);
  assert.notDeepEqual(new Map([['at', noon]]), new Map([['at', later]]));
  assert.throws(() => assert.deepEqual({ at: noon }, { at: later }));
  assert.throws(() => assert.partialDeepStrictEqual({ id: 1, at: noon }, { at: later }));
});

test('times that are the same are equal', () => {
  assert.deepEqual({ at: noon }, { at: later.subtract({ minutes: 1 }) });
});
