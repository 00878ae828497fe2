import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationText, readTime, timeText } from './times.ts';

test('times are told in a zone, with the offset that it has then', () => {
  assert.equal(timeText('2026-07-01T12:00:00.000Z', 'Europe/Berlin'), '2026-07-01 14:00 +02:00');
  assert.equal(timeText('2026-12-01T12:00:59.999Z', 'Europe/Berlin'), '2026-12-01 13:00 +01:00');
  assert.equal(timeText(null, 'Europe/Berlin'), '-');
});

test('a time without an offset is one of the zone', () => {
  const read = (text: string) => readTime(text, 'Europe/Berlin');
  assert.equal(read('2026-07-01T14:00'), '2026-07-01T12:00:00Z');
  assert.equal(read('2026-07-01 14:00'), '2026-07-01T12:00:00Z');
  assert.equal(read('2026-07-01T14:00+00:00'), '2026-07-01T14:00:00Z');
  assert.equal(read('2026-07-01T14:00Z'), '2026-07-01T14:00:00Z');
  assert.equal(read('2026-12-01'), '2026-11-30T23:00:00Z');
  assert.deepEqual(['tomorrow', '2026-13-01T00:00', ''].map(read), [null, null, null]);
});

test('durations are told in their two largest units', () => {
  const seconds = [-1, 0, 59.9, 60, 3_725, 90_000, 86_400 * 3 + 59];
  assert.deepEqual(seconds.map(durationText), ['0s', '0s', '59s', '1m', '1h 2m', '1d 1h', '3d']);
});
