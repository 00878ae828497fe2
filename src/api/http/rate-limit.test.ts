import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimit } from './rate-limit.ts';

const start = Temporal.Instant.from('2026-01-01T00:00:00Z');

test('a burst is let through, then as many as flow in', () => {
  const limit = createRateLimit({ perSecond: 200, burst: 1_000 });
  const passed = (count: number, at: Temporal.Instant) =>
    Array.from({ length: count }, () => limit.take('key', at)).filter((wait) => wait === 0).length;
  assert.equal(passed(1_500, start), 1_000);
  assert.equal(limit.take('key', start), 1);
  assert.equal(passed(500, start.add({ seconds: 1 })), 200);
  assert.equal(passed(5_000, start.add({ minutes: 1 })), 1_000);
});

test('keys do not take from each other, and a clock going back takes nothing', () => {
  const limit = createRateLimit({ perSecond: 1, burst: 2 });
  assert.equal(limit.take('a', start), 0);
  assert.equal(limit.take('a', start.subtract({ hours: 1 })), 0);
  assert.equal(limit.take('a', start.subtract({ hours: 1 })), 1);
  assert.equal(limit.take('b', start), 0);
});

test('buckets that are full again are forgotten', () => {
  const limit = createRateLimit({ perSecond: 1, burst: 2 });
  for (let each = 0; each < 10_000; each += 1) limit.take(`key ${each}`, start);
  limit.take('one more', start.add({ minutes: 1 }));
  assert.equal(limit.size, 1);
});
