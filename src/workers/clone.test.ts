import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packed, unpacked } from './clone.ts';

const at = Temporal.Instant.from('2026-03-01T12:00:00.123456789Z');

test('times survive the way to a thread, wherever they stand', () => {
  const value = {
    at,
    list: [1, [at], { from: at, to: null }],
    map: new Map([['a', { at }]]),
    set: new Set(['b']),
    bytes: new Uint8Array([1]),
  };
  assert.deepEqual(unpacked(structuredClone(packed(value))), value);
  assert.deepEqual(value.list[1], [at]);
});

test('what holds no times is not copied', () => {
  const value = { users: ['a', null], rotation: { length: 1 } };
  assert.equal(packed(value), value);
});

test('a number that would arrive as a time is refused', () => {
  assert.throws(() => packed({ count: 1n }), TypeError);
});
