import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readablePart } from './readable-part.ts';

const at = (...paths: readonly string[]) => paths.map((path) => ({ path, message: 'is wrong' }));

test('a wrong member of a list leaves a hole, and the others keep their places', () => {
  const value = { name: 'n', layers: [{ users: [7] }, { users: [] }], slack: { list: ['a', 1] } };
  const { layers, ...rest } = readablePart(value, at('layers[0].users[0]', 'slack.list[1]'));
  assert.deepEqual(Object.entries(layers as object), [['1', { users: [] }]]);
  assert.equal((layers as unknown[]).length, 2);
  // biome-ignore lint/suspicious/noSparseArray: the hole is what it is about
  assert.deepEqual(rest, { name: 'n', slack: { list: ['a', ,] } });
});

test('of nested lists only the innermost object goes, and what is around it stays', () => {
  const target = { via: 'email' };
  const step = { targets: [target, { via: 7 }], windows: [1] };
  const value = { steps: [step, step] };
  const { steps } = readablePart(value, at('steps[1].targets[1].via')) as typeof value;
  assert.deepEqual(steps[0], step);
  assert.deepEqual(Object.entries(steps[1]?.targets ?? []), [['0', target]]);
  assert.deepEqual(steps[1]?.windows, [1]);
});

test('what is wrong outside of lists takes the field at the top away', () => {
  const value = { after: { unit: 'x', length: 1 }, headers: { 'a[0]': 7 }, name: 'n' };
  assert.deepEqual(readablePart(value, at('after.unit', 'headers["a[0]"]')), { name: 'n' });
  assert.deepEqual(readablePart(7, at('')), {});
});
