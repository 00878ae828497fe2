import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLimiter } from '../../http/limiter.ts';
import { networkOf } from '../../http/network.ts';
import { createAttempts } from './attempts.ts';
import { createGrowingWaits } from './growing-waits.ts';

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

const email = 'ada@example.com';
const from = (address: string, isKnownBrowser = false) => ({ address, email, isKnownBrowser });

test('one network cannot use up the tries of many e-mails', () => {
  const attempts = createAttempts(stoppedClock());
  const stranger = { address: '10.0.0.1', isKnownBrowser: false };
  for (let each = 0; each < 50; each += 1)
    assert.equal(attempts.take({ ...stranger, email: `${each}@example.com` }), 0);
  for (let each = 0; each < 20; each += 1) assert.ok(attempts.take(from('10.0.0.1')) > 0);
  assert.equal(attempts.take(from('10.0.0.2')), 0);
});

test('who fails waits longer and longer, up to 15 minutes', () => {
  const clock = stoppedClock();
  const attempts = createAttempts(clock);
  for (let tries = 0; tries < 5; tries += 1) assert.equal(attempts.take(from('10.0.0.1')), 0);
  const waits: number[] = [];
  for (let tries = 0; tries < 10; tries += 1) {
    waits.push(attempts.take(from('10.0.0.1')));
    clock.pass(waits.at(-1) ?? 0);
    assert.equal(attempts.take(from('10.0.0.1')), 0);
  }
  assert.deepEqual(waits, [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
});

test('nobody who fails with an e-mail keeps out its owner, where they signed in before', () => {
  const clock = stoppedClock();
  const attempts = createAttempts(clock);
  attempts.take(from('10.0.0.1'));
  attempts.succeeded(from('10.0.0.1'));
  const crowd = Array.from({ length: 300 }, (_, index) => from(`10.1.0.${index}`));
  const guesses = () => crowd.filter((one) => attempts.take(one) === 0).length;
  // The owner's first try was that of a stranger too.
  assert.equal(guesses(), 19);
  assert.equal(attempts.take(from('10.0.0.1')), 0);
  // In the same network as somebody who tries and tries.
  for (let tries = 0; tries < 100; tries += 1) attempts.take(from('10.1.0.1'));
  assert.equal(attempts.take(from('10.1.0.1', true)), 0);
  clock.pass(300);
  assert.equal(guesses(), 20);
});

test('a known browser that fails waits too', () => {
  const attempts = createAttempts(stoppedClock());
  for (let tries = 0; tries < 5; tries += 1) assert.equal(attempts.take(from('10.0.0.1', true)), 0);
  assert.equal(attempts.take(from('10.0.0.9', true)), 5);
  attempts.succeeded(from('10.0.0.9', true));
  assert.equal(attempts.take(from('10.0.0.1', true)), 0);
});

test('waits are forgotten after an hour, and the oldest when there are too many', () => {
  const clock = stoppedClock();
  const trial = { clock, free: 1, firstSeconds: 60, maxSeconds: 60, keysMax: 2 };
  const waits = createGrowingWaits(trial);
  for (const key of ['a', 'b', 'a', 'c']) waits.count(key);
  assert.deepEqual(['a', 'b', 'c'].map(waits.waitOf), [60, 0, 60]);
  clock.pass(3_600);
  waits.count('a');
  assert.equal(waits.waitOf('a'), 60);
});

test('an IPv6 address counts for the network it can move in', () => {
  for (const [address, network] of [
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ] as const)
    assert.equal(networkOf(address), network);
});
