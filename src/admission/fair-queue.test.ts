import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFairQueue } from './fair-queue.ts';

test('keys are served in turn, each in order of arrival', () => {
  const queue = createFairQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1']) queue.push(item.charAt(0), item);
  assert.deepEqual(queue.take(3), ['a1', 'b1', 'c1']);
  assert.deepEqual(queue.take(9), ['a2', 'a3', 'a4']);
  assert.equal(queue.size, 0);
});

test('items up to the limit are taken, and one heavier item whole', () => {
  const queue = createFairQueue<number>((weight) => weight);
  for (const weight of [2, 2, 9, 1]) queue.push('a', weight);
  queue.push('b', 3);
  assert.equal(queue.weight, 17);
  assert.deepEqual(queue.take(6), [2, 3, 2]);
  assert.deepEqual(queue.take(6), [9]);
  assert.deepEqual([queue.take(6), queue.weight], [[1], 0]);
});

test('an excluded key waits, the others do not', () => {
  const queue = createFairQueue<string>();
  for (const item of ['a1', 'b1', 'a2']) queue.push(item.charAt(0), item);
  assert.deepEqual(queue.take(9, new Set(['a'])), ['b1']);
  assert.deepEqual(queue.take(9, new Set(['a'])), []);
  assert.deepEqual(queue.take(9), ['a1', 'a2']);
});

test('every item is taken once, and never more than the limit at a time', () => {
  const keys = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 });
  fc.assert(
    fc.property(keys, fc.integer({ min: 1, max: 7 }), (pushed, limit) => {
      const queue = createFairQueue<string>();
      const items = pushed.map((key, index) => `${key}${index}`);
      for (const item of items) queue.push(item.charAt(0), item);
      const all: string[] = [];
      for (let batch = queue.take(limit); batch.length > 0; batch = queue.take(limit)) {
        assert.ok(batch.length <= limit);
        all.push(...batch);
      }
      assert.deepEqual(all.sort(), items.sort());
      assert.equal(queue.size, 0);
    }),
  );
});
