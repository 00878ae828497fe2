// Worlds that found a fault of PostgreSQL's ledger, beyond those that every run lives through.
import { after, test } from 'node:test';
import { PostgresMirror } from '../../simulation/postgres-mirror.ts';
import { simulate } from '../../simulation/simulate.ts';

const failures = {
  'a call that cannot be read holds up none of those behind it': 30,
  'whose last page fails while its incident cannot be read, admins are told': 221,
};

const mirror = await PostgresMirror.open();
after(() => mirror[Symbol.asyncDispose]());

for (const [title, seed] of Object.entries(failures))
  test(`seed ${seed}: ${title}`, async () => {
    await simulate(seed, mirror);
  });
