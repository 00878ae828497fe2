// `node test/simulation/run.ts --seeds 100000 [--from 0]`: for nights.
import { parseArgs } from 'node:util';
import { Broken, simulate } from './simulate.ts';

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1000' }, from: { type: 'string', default: '0' } },
});
const from = Number(values.from);
const seeds = Number(values.seeds);
const began = performance.now();
for (let seed = from; seed < from + seeds; seed += 1) {
  try {
    await simulate(seed);
  } catch (error) {
    console.error(
      error instanceof Broken
        ? `${error.message}\n${error.cause instanceof Error ? error.cause.stack : ''}`
        : error,
    );
    process.exitCode = 1;
    break;
  }
}
const seconds = ((performance.now() - began) / 1_000).toFixed(1);
console.log(`seeds ${from} to ${from + seeds - 1} in ${seconds} s`);
