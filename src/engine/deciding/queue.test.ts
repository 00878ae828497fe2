import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFairQueue } from './queue.ts';

test('lines are served in turn, each in the order it came', () => {
  const queue = createFairQueue<string>(100);
  for (const item of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1']) queue.push(item.charAt(0), item);
  assert.deepEqual(queue.take(3), ['a1', 'b1', 'c1']);
  assert.deepEqual(queue.take(9), ['a2', 'a3', 'a4']);
  assert.equal(queue.size, 0);
});

test('a full queue takes nothing more', () => {
  const queue = createFairQueue<number>(2);
  assert.deepEqual(
    [1, 2, 3].map((item) => queue.push('a', item)),
    [true, true, false],
  );
  queue.take(1);
  assert.equal(queue.push('a', 4), true);
});

test('one loud line does not shut the others out', () => {
  const queue = createFairQueue<number>(10);
  queue.push('calm', 0);
  const loud = Array.from({ length: 20 }, (_, index) => queue.push('loud', index));
  assert.equal(loud.filter(Boolean).length, 5);
  assert.equal(queue.push('calm', 1), true);
  assert.equal(queue.push('new', 1), true);
});

test('as much is taken as may be at once, and one item whatever it weighs', () => {
  const queue = createFairQueue<number>(10, (weight) => weight);
  for (const weight of [2, 2, 9, 1]) queue.push('a', weight);
  queue.push('b', 3);
  assert.equal(queue.weight, 17);
  assert.deepEqual(queue.take(6), [2, 3, 2]);
  assert.deepEqual(queue.take(6), [9]);
  assert.deepEqual([queue.take(6), queue.weight], [[1], 0]);
});

test('a line that is being served waits, the others do not', () => {
  const queue = createFairQueue<string>(10);
  for (const item of ['a1', 'b1', 'a2']) queue.push(item.charAt(0), item);
  assert.deepEqual(queue.take(9, new Set(['a'])), ['b1']);
  assert.deepEqual(queue.take(9, new Set(['a'])), []);
  assert.deepEqual(queue.take(9), ['a1', 'a2']);
});

test('whatever was pushed is taken once, and never more than asked for', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 });
  fc.assert(
    fc.property(lines, fc.integer({ min: 1, max: 7 }), (pushed, limit) => {
      const queue = createFairQueue<string>(30);
      const kept = pushed.flatMap((line, index) =>
        queue.push(line, `${line}${index}`) ? [`${line}${index}`] : [],
      );
      const taken: string[] = [];
      for (let some = queue.take(limit); some.length > 0; some = queue.take(limit)) {
        assert.ok(some.length <= limit);
        taken.push(...some);
      }
      assert.deepEqual(taken.sort(), kept.sort());
      assert.equal(queue.size, 0);
    }),
  );
});
