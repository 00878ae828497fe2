// `npm run simulate -- --seeds 100000 [--from 0] [--postgres]`: for nights.
import { parseArgs } from 'node:util';
import '../times.ts';
import { startTestServers } from '../database.ts';
import { PostgresMirror } from './postgres-mirror.ts';
import { Broken, simulate } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '0' },
    postgres: { type: 'boolean', default: false },
  },
});
const from = Number(values.from);
const seeds = Number(values.seeds);
await using _servers = values.postgres ? await startTestServers(['bundled']) : null;
await using mirror = values.postgres ? await PostgresMirror.open() : null;
const began = performance.now();
for (let seed = from; seed < from + seeds; seed += 1) {
  try {
    await simulate(seed, mirror);
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
