import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliveryOf } from './http-answer.ts';

const now = Temporal.Instant.from('2026-11-21T06:00:00Z');

for (const { status, retryAfter, expected } of [
  { status: 200, expected: { outcome: 'delivered' } },
  { status: 204, expected: { outcome: 'delivered' } },
  { status: 301, expected: { outcome: 'failed' } },
  { status: 400, expected: { outcome: 'failed' } },
  { status: 410, retryAfter: '7', expected: { outcome: 'failed' } },
  { status: 408, expected: { outcome: 'no_answer' } },
  { status: 429, expected: { outcome: 'no_answer' } },
  { status: 500, expected: { outcome: 'no_answer' } },
  { status: 599, expected: { outcome: 'no_answer' } },
  { status: 429, retryAfter: '7', expected: { outcome: 'no_answer', retryAfterSeconds: 7 } },
  { status: 503, retryAfter: '99999', expected: { outcome: 'no_answer', retryAfterSeconds: 3600 } },
  { status: 429, retryAfter: 'soon', expected: { outcome: 'no_answer' } },
  {
    status: 429,
    retryAfter: 'Sat, 21 Nov 2026 06:01:30 GMT',
    expected: { outcome: 'no_answer', retryAfterSeconds: 90 },
  },
  {
    status: 429,
    retryAfter: 'Sat, 21 Nov 2026 05:00:00 GMT',
    expected: { outcome: 'no_answer', retryAfterSeconds: 0 },
  },
]) {
  const wait = expected.retryAfterSeconds === undefined ? '' : ` ${expected.retryAfterSeconds} s`;
  test(`${status} with Retry-After "${retryAfter ?? ''}" means ${expected.outcome}${wait}`, () => {
    const answer = deliveryOf({ status, retryAfter, body: Buffer.from('words') }, now);
    const { reason: _reason, ...rest } = { reason: '', ...answer };
    assert.deepEqual(rest, { ...expected, status, answer: 'words' });
  });
}
