import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAttempts, networkOf } from './attempts.ts';
import { createLimiter } from './limiter.ts';

function stoppedClock() {
  let now = Temporal.Instant.from('2026-01-01T00:00:00Z');
  return {
    now: () => now,
    pass(seconds: number) {
      now = now.add({ seconds });
    },
  };
}

test('so many tries in a window, then a wait until it ends', () => {
  const clock = stoppedClock();
  const limiter = createLimiter({ clock, tries: 2, seconds: 60 });
  assert.equal(limiter.take('a'), 0);
  clock.pass(20);
  assert.equal(limiter.take('a'), 0);
  assert.equal(limiter.take('a'), 40);
  assert.equal(limiter.take('b'), 0);
  clock.pass(40);
  assert.equal(limiter.take('a'), 0);
});

test('the oldest window is forgotten when there are too many', () => {
  const limiter = createLimiter({ clock: stoppedClock(), tries: 1, seconds: 60, keysMax: 2 });
  for (const key of ['a', 'b', 'c']) assert.equal(limiter.take(key), 0);
  assert.equal(limiter.take('c'), 60);
  assert.equal(limiter.take('a'), 0);
});

test('one address cannot use up the tries of many e-mails', () => {
  const attempts = createAttempts(stoppedClock());
  for (let each = 0; each < 50; each += 1)
    assert.equal(attempts.take({ address: '10.0.0.1', email: `${each}@example.com` }), 0);
  for (let each = 0; each < 20; each += 1)
    assert.ok(attempts.take({ address: '10.0.0.1', email: 'ada@example.com' }) > 0);
  assert.equal(attempts.take({ address: '10.0.0.2', email: 'ada@example.com' }), 0);
});

test('an IPv6 address counts for the network it can move in', () => {
  for (const [address, network] of [
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '::ffff:10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ] as const)
    assert.equal(networkOf(address), network);
});
