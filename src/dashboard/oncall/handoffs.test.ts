import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Bar } from './bar.ts';
import { nextHandoffs } from './handoffs.ts';

const bar = (name: string, start: number, end: number): Bar => ({
  key: `${name} ${start}`,
  start,
  end,
  whole: { start, end },
  kind: 'shift',
  userId: name,
  full: name,
  short: name,
  initials: '',
});
const gap = (start: number, end: number): Bar => {
  const { userId, ...hole } = bar('Nobody', start, end);
  return { ...hole, kind: 'gap' };
};

test('the next three times that somebody else takes over are listed', () => {
  const bars = [
    bar('Ada', 0, 10),
    bar('Bob', 10, 20),
    // Cut, but the same person goes on.
    bar('Bob', 20, 25),
    bar('Ada', 25, 30),
    bar('Bob', 30, 40),
    bar('Ada', 40, 50),
  ];
  assert.deepEqual(nextHandoffs(bars.toReversed(), 10), [
    { at: 25, from: 'Bob', to: 'Ada' },
    { at: 30, from: 'Ada', to: 'Bob' },
    { at: 40, from: 'Bob', to: 'Ada' },
  ]);
});

test('a gap is a handoff to nobody, and its end one from nobody', () => {
  const bars = [bar('Ada', 0, 10), gap(10, 15), bar('Ada', 15, 20)];
  assert.deepEqual(nextHandoffs(bars, 0), [
    { at: 10, from: 'Ada', to: null },
    { at: 15, from: null, to: 'Ada' },
  ]);
  assert.deepEqual(nextHandoffs(bars, 12), [{ at: 15, from: null, to: 'Ada' }]);
  assert.deepEqual(nextHandoffs([], 0), []);
});
