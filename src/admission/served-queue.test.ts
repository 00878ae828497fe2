import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServedQueue } from './served-queue.ts';

const buildQueue = (...items: string[]) => {
  const queue = new ServedQueue<string>((item) => item.charAt(0));
  for (const item of items) queue.push(item);
  return queue;
};

test('no more of a key is taken until its batch is done', async () => {
  const queue = buildQueue('a1');
  const first = await queue.take(9);
  queue.push('a2');
  queue.push('b1');
  assert.deepEqual((await queue.take(9)).items, ['b1']);
  const second = queue.take(9);
  assert.deepEqual(queue.takeNow(9).items, []);
  queue.push('a3');
  first.done();
  assert.deepEqual((await second).items, ['a2', 'a3']);
});

test('an empty queue gives an empty batch at once', async () => {
  assert.deepEqual((await buildQueue().take(9)).items, []);
});

test('a batch that is done twice frees its key once', async () => {
  const queue = buildQueue('a1');
  const first = queue.takeNow(9);
  first.done();
  queue.push('a2');
  const second = queue.takeNow(9);
  first.done();
  queue.push('a3');
  assert.deepEqual(queue.takeNow(9).items, []);
  second.done();
  assert.deepEqual(queue.takeNow(9).items, ['a3']);
});
