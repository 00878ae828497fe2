import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeeds } from './seeds.ts';
import { simulate } from './simulate.ts';

testSeeds(0, 600);

test('the same seed tells the same story', async () => {
  for (const seed of [1, 42, 77]) assert.deepEqual(await simulate(seed), await simulate(seed));
});
