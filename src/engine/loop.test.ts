import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, systemClock } from './clock.ts';
import { silentLog } from './log.ts';
import { startLoop } from './loop.ts';

const past = Temporal.Instant.from('2026-03-02T12:00:00Z');
const clock: Clock = systemClock;

test('what is known to be due is had at once, and only once', async () => {
  const steps: string[] = [];
  let sleeps: () => void = () => {};
  const sleeping = () =>
    new Promise<void>((resolve) => {
      sleeps = resolve;
    });
  const slept = sleeping();
  await using loop = startLoop({
    name: 'notices',
    clock,
    log: silentLog,
    failed: (error) => assert.fail(String(error)),
    async next() {
      steps.push('asked');
      sleeps();
      return clock.now().add({ hours: 1 });
    },
    work: async () => steps.push('worked'),
  });
  await slept;
  for (const isDue of [true, false]) {
    const again = sleeping();
    loop.poke({ isDue });
    await again;
  }
  assert.equal(steps.filter((one) => one === 'worked').length, 1);
  assert.deepEqual(steps.slice(0, 3), ['asked', 'worked', 'asked']);
});

test('what is due and cannot be had is not asked for again before a poke', async () => {
  const steps: string[] = [];
  let sleeps: () => void = () => {};
  await using loop = startLoop({
    name: 'notices',
    clock,
    log: silentLog,
    failed: (error) => assert.fail(String(error)),
    next: async () => past,
    async work() {
      steps.push('asked');
      return 0;
    },
    async nextAfter(now) {
      assert.ok(Temporal.Instant.compare(now, past) > 0);
      steps.push('slept');
      sleeps();
      return now.add({ hours: 1 });
    },
  });
  for (let times = 0; times < 3; times += 1)
    await new Promise<void>((resolve) => {
      sleeps = resolve;
      loop.poke();
    });
  assert.equal(steps.join().replaceAll('asked,slept', '').replaceAll(',', ''), '');
});
