import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mutesFrom } from './mutes.ts';

test('a mute ends after a while, in the next morning, or never', () => {
  const lengths = (now: Date) =>
    mutesFrom(now).map(({ until }) => until && (until.getTime() - now.getTime()) / 60_000);
  assert.deepEqual(lengths(new Date(2026, 10, 23, 3, 12)), [30, 60, 240, 288, null]);
  assert.deepEqual(lengths(new Date(2026, 10, 23, 8, 0)), [30, 60, 240, 1_440, null]);
  assert.deepEqual(lengths(new Date(2026, 10, 30, 22, 0)), [30, 60, 240, 600, null]);
});
