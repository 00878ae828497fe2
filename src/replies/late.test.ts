import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLate } from './late.ts';

test('a text is late after two minutes', () => {
  const noon = Temporal.Instant.from('2026-11-24T12:00:00Z');
  assert.equal(isLate(noon.subtract({ seconds: 120 }), noon), false);
  assert.equal(isLate(noon.subtract({ seconds: 121 }), noon), true);
});
