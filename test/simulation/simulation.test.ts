import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from './simulate.ts';

const seeds = 1_200;
const perTest = 200;

for (let from = 0; from < seeds; from += perTest)
  test(`nothing is lost, early, late or said twice in worlds ${from} to ${from + perTest - 1}`, async () => {
    for (let seed = from; seed < from + perTest; seed += 1) await simulate(seed);
  });

test('the same seed tells the same story', async () => {
  for (const seed of [1, 42, 77]) assert.deepEqual(await simulate(seed), await simulate(seed));
});
