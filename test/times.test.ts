import assert from 'node:assert/strict';
import { test } from 'node:test';

const noon = Temporal.Instant.from('2026-03-02T12:00:00Z');
const later = noon.add({ minutes: 1 });

class Rows extends Array<unknown> {}
class Shift {
  readonly at: Temporal.Instant;
  constructor(at: Temporal.Instant) {
    this.at = at;
  }
}

test('times that differ are not equal, wherever they are', () => {
  assert.notDeepEqual(noon, later);
  assert.notDeepEqual([{ at: noon }], [{ at: later }]);
  assert.notDeepEqual(new Map([['at', noon]]), new Map([['at', later]]));
  assert.notDeepEqual(new Set([noon]), new Set([later]));
  assert.notDeepEqual(Rows.of({ at: noon }), Rows.of({ at: later }));
  assert.notDeepEqual(new Shift(noon), new Shift(later));
  assert.notDeepStrictEqual([noon], [later]);
  assert.throws(() => assert.deepStrictEqual(noon, later));
  assert.throws(() => assert.deepEqual({ at: noon }, { at: later }));
  assert.throws(() => assert.partialDeepStrictEqual({ id: 1, at: noon }, { at: later }));
});

test('times that are the same are equal', () => {
  assert.deepEqual({ at: noon }, { at: later.subtract({ minutes: 1 }) });
});

test('all else is compared as it was', () => {
  assert.notDeepEqual(Rows.of(noon), [noon]);
  assert.notDeepEqual(new Shift(noon), { at: noon });
  assert.deepEqual(new Map([[noon, new Set([1])]]), new Map([[noon, new Set([1])]]));
  const ring: unknown[] = [noon];
  ring.push(ring);
  const other: unknown[] = [noon];
  other.push(other);
  assert.deepEqual(ring, other);
});
