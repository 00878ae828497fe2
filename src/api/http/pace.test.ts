import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from './pace.ts';

const buildPace = () => new Pace({ bytesPerSecond: 100, burst: 200, patienceMs: 2_000 });

test('what is sent at once is read at once, and more of it at its pace', () => {
  const pace = buildPace();
  const waits = [150, 50, 100, 100].map((bytes) => pace.enter('key:a', bytes, 1_000));
  assert.deepEqual(waits, [0, 0, 1_000, 2_000]);
  assert.equal(pace.enter('key:b', 200, 1_000), 0, 'another caller does not wait for it');
  assert.equal(pace.enter('key:a', 100, 3_000), 1_000);
  assert.equal(pace.enter('key:a', 200, 60_000), 0, 'a pause gives all of it back, and no more');
  assert.equal(pace.enter('key:a', 100, 60_000), 1_000);
});

test('what would wait too long is refused, and holds up nothing', () => {
  const pace = buildPace();
  assert.equal(pace.enter('key:a', 401, 0), null);
  assert.equal(pace.enter('key:a', 400, 0), 2_000);
  assert.equal(pace.enter('key:a', 1, 0), null);
});

test('what nobody announced is waited for by the next', () => {
  const pace = buildPace();
  pace.count('key:a', 250, 0);
  assert.equal(pace.enter('key:a', 50, 0), 1_000);
});
