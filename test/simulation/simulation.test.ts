import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeeds } from './seeds.ts';
import { simulate } from './simulate.ts';
import { World } from './world.ts';

// Worlds 0 to 24 are lived through on PostgreSQL too: test/contracts/seeds. More: npm run simulate.
testSeeds(100, 200);

test('the same seed tells the same story', async () => {
  for (const seed of [1, 42, 77]) assert.deepEqual(await simulate(seed), await simulate(seed));
});

test('a fault that is told outside the story ends it', async () => {
  const world = await World.begin(0, null);
  world.faults({ of: 'notice', id: 'of nobody', error: new Error('no') });
  assert.throws(() => world.check(), /one notice failed/);
});
