import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantOf } from './instant.ts';

test('an instant with nanoseconds is cut to the precision that is stored', () => {
  for (const [written, read] of [
    ['2026-11-28T09:04:00.123456789Z', '2026-11-28T09:04:00.123Z'],
    ['2026-11-28T09:04:00.999999999+01:00', '2026-11-28T08:04:00.999Z'],
    ['2026-11-28T09:04:00.1234Z', '2026-11-28T09:04:00.123Z'],
    ['2026-11-28T09:04:00Z', '2026-11-28T09:04:00Z'],
    ['0001-01-01T00:00:00Z', undefined],
    ['soon', undefined],
    [undefined, undefined],
  ] as const)
    assert.equal(instantOf(written)?.toString(), read, `${written}`);
});
