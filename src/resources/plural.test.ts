import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, spanText } from './plural.ts';

for (const [count, expected] of [
  [0, '0 minutes'],
  [1, '1 minute'],
  [2, '2 minutes'],
] as const)
  test(expected, () => {
    assert.equal(counted(count, 'minute'), expected);
    assert.equal(spanText({ after: count, unit: 'minutes' }), expected);
  });
