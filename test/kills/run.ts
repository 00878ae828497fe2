// `npm run kills -- [--kills 60] [--seed 1]`: a server of its own on PostgreSQL, killed sixty times; some minutes.
import { parseArgs } from 'node:util';
import '../times.ts';
import { startTestServers } from '../database.ts';
import { runKills } from './kills.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const seed = Number(values.seed);
await using servers = await startTestServers(['bundled']);
const [postgres] = servers.servers;
if (!postgres) throw new Error('there is no PostgreSQL');
const began = performance.now();
try {
  const { kills, cutOff, channels, groups } = await runKills({
    seed,
    kills: Number(values.kills),
    postgres,
  });
  console.log(`${kills} kills cut ${cutOff} sends off`);
  console.table(
    Object.fromEntries(
      Object.entries(channels).map(([channel, { pages, copies, pressed, longestMs }]) => [
        channel,
        { pages, copies, pressed, 'longest delay': `${(longestMs / 1_000).toFixed(1)} s` },
      ]),
    ),
  );
  console.table({ groups });
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
console.log(`seed ${seed}, ${((performance.now() - began) / 1_000).toFixed(0)} s`);
