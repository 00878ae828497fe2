// `npm run simulate:terraform -- --seeds 100 [--from 0] [--seconds 3600]`: for nights.
import { parseArgs } from 'node:util';
import '../../times.ts';
import { startTestServers } from '../../database.ts';
import { live, openWorld } from './story.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10' },
    from: { type: 'string', default: '0' },
    /** No other seed begins after them. */
    seconds: { type: 'string', default: 'Infinity' },
  },
});
const from = Number(values.from);
await using _servers = await startTestServers(['bundled']);
await using world = await openWorld();
const began = performance.now();
const seconds = () => (performance.now() - began) / 1_000;
let seed = from;
try {
  for (; seed < from + Number(values.seeds) && seconds() < Number(values.seconds); seed += 1)
    await live(world, seed);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
for (const [what, count] of [...world.tally].sort()) console.log(`${what}: ${count}`);
console.log(`seeds ${from} to ${seed - 1} in ${seconds().toFixed(1)} s`);
