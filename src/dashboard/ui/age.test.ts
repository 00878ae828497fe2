import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ageOf } from './age.ts';

const MINUTE = 60_000;

test('an age is told in its largest whole unit', () => {
  const cases = [
    [-5, null],
    [0.9, null],
    [1, { unit: 'minute', count: 1 }],
    [59.9, { unit: 'minute', count: 59 }],
    [60, { unit: 'hour', count: 1 }],
    [24 * 60, { unit: 'day', count: 1 }],
    [13.9 * 24 * 60, { unit: 'day', count: 13 }],
    [14 * 24 * 60, { unit: 'week', count: 2 }],
  ] as const;
  for (const [minutes, age] of cases) assert.deepEqual(ageOf(0, minutes * MINUTE), age);
});
