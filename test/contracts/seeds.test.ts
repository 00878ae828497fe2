import { after, test } from 'node:test';
import { PostgresMirror } from '../simulation/postgres-mirror.ts';
import { simulate } from '../simulation/simulate.ts';

const seeds = 100;
const perTest = 20;

const mirror = await PostgresMirror.open();
after(() => mirror[Symbol.asyncDispose]());

for (let from = 0; from < seeds; from += perTest)
  test(`worlds ${from} to ${from + perTest - 1} are the same on PostgreSQL`, async () => {
    for (let seed = from; seed < from + perTest; seed += 1) await simulate(seed, mirror);
  });
