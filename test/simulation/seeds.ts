import { test } from 'node:test';
import { simulate } from './simulate.ts';

const perTest = 100;

export function testSeeds(first: number, count: number): void {
  for (let from = first; from < first + count; from += perTest)
    test(`nothing is lost, early, late or said twice in worlds ${from} to ${from + perTest - 1}`, async () => {
      for (let seed = from; seed < from + perTest; seed += 1) await simulate(seed);
    });
}
