import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimit } from './rate-limit.ts';

const start = Temporal.Instant.from('2026-01-01T00:00:00Z');

test('a burst is let through, then as many as flow in', () => {
  const limit = new RateLimit({ perSecond: 200, burst: 1_000 });
  const passed = (count: number, at: Temporal.Instant) =>
    Array.from({ length: count }, () => limit.take('key', at)).filter((wait) => wait === 0).length;
  assert.equal(passed(1_500, start), 1_000);
  assert.equal(limit.take('key', start), 1);
  assert.equal(passed(500, start.add({ seconds: 1 })), 200);
  assert.equal(passed(5_000, start.add({ minutes: 1 })), 1_000);
});

test('keys do not take from each other, and a clock going back takes nothing', () => {
  const limit = new RateLimit({ perSecond: 1, burst: 2 });
  assert.equal(limit.take('a', start), 0);
  assert.equal(limit.take('a', start.subtract({ hours: 1 })), 0);
  assert.equal(limit.take('a', start.subtract({ hours: 1 })), 1);
  assert.equal(limit.take('b', start), 0);
});

test('buckets that are full again are forgotten', () => {
  const limit = new RateLimit({ perSecond: 1, burst: 2 });
  for (let each = 0; each < 10_000; each += 1) limit.take(`key ${each}`, start);
  limit.take('one more', start.add({ minutes: 1 }));
  assert.equal(limit.size, 1);
});

const buildPatient = () => new RateLimit({ perSecond: 100, burst: 200, patienceMs: 2_000 });

test('a patient limit makes those wait who go beyond the burst', () => {
  const limit = buildPatient();
  const waits = [150, 50, 100, 100].map((bytes) => limit.enter('key:a', bytes, 1_000));
  assert.deepEqual(waits, [0, 0, 1_000, 2_000]);
  assert.equal(limit.enter('key:b', 200, 1_000), 0, 'another caller does not wait for it');
  assert.equal(limit.enter('key:a', 100, 3_000), 1_000);
  assert.equal(limit.enter('key:a', 200, 60_000), 0, 'a pause gives all of it back, and no more');
  assert.equal(limit.enter('key:a', 100, 60_000), 1_000);
});

test('whoever would wait too long is refused, and delays nobody', () => {
  const limit = buildPatient();
  assert.equal(limit.enter('key:a', 401, 0), null);
  assert.equal(limit.enter('key:a', 400, 0), 2_000);
  assert.equal(limit.enter('key:a', 1, 0), null);
});

test('what was used without asking delays the next of its key', () => {
  const limit = buildPatient();
  limit.count('key:a', 250, 0);
  assert.equal(limit.enter('key:a', 50, 0), 1_000);
});
