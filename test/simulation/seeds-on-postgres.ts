import { after, test } from 'node:test';
import { PostgresMirror } from './postgres-mirror.ts';
import { simulate } from './simulate.ts';

const perTest = 5;

export async function testSeedsOnPostgres(first: number, count: number): Promise<void> {
  const mirror = await PostgresMirror.open();
  after(() => mirror[Symbol.asyncDispose]());
  for (let from = first; from < first + count; from += perTest)
    test(`worlds ${from} to ${from + perTest - 1} are the same on PostgreSQL`, async () => {
      for (let seed = from; seed < from + perTest; seed += 1) await simulate(seed, mirror);
    });
}
