import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Delivery, healthOf, isAwaited } from './deliveries.ts';

const delivery = (state: string, minute: number, outcomes: readonly string[]): Delivery => ({
  id: String(minute),
  event_type: 'triggered',
  state,
  created_at: `2026-01-01T00:0${minute}:00Z`,
  tries: outcomes.map((outcome, index) => ({
    number: index + 1,
    at: `2026-01-01T00:0${minute}:0${index}Z`,
    outcome,
  })),
});
const sent = (minute: number) => delivery('sent', minute, ['delivered']);
const failed = (minute: number) => delivery('failed', minute, ['retry', 'failed']);
const retried = (minute: number) => delivery('pending', minute, ['retry']);
const untried = (minute: number) => delivery('pending', minute, []);

const since = (minute: number) => `2026-01-01T00:0${minute}:00Z`;

for (const [title, deliveries, hasMore, health] of [
  ['without calls it is unused', [], false, { type: 'unused' }],
  ['a first call that is under way is waited for', [untried(1)], false, { type: 'waiting' }],
  ['the newest call decides', [sent(2), failed(1)], false, { type: 'healthy' }],
  ['a call under way decides nothing', [untried(3), sent(2)], false, { type: 'healthy' }],
  [
    'it fails since the first failure after the last delivery',
    [retried(4), failed(3), sent(2), failed(1)],
    true,
    { type: 'failing', since: since(3), isWhole: true },
  ],
  [
    'before the oldest call that was read, it may have failed too',
    [failed(3), failed(2)],
    true,
    { type: 'failing', since: since(2), isWhole: false },
  ],
  [
    'without older calls it fails since the first',
    [failed(3), failed(2)],
    false,
    { type: 'failing', since: since(2), isWhole: true },
  ],
] as const)
  test(title, () => assert.deepEqual(healthOf(deliveries, hasMore), health));

test('a call without a result is waited for, one that is retried later is not', () => {
  const running: Delivery = { ...untried(1), tries: [{ number: 1, at: '2026-01-01T00:01:00Z' }] };
  assert.deepEqual(
    [untried(1), running, retried(1), sent(1)].map((one) => isAwaited([one])),
    [...[true, true, false, false]],
  );
});
