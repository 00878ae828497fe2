// Six kills in each run of all tests; `npm run kills` does sixty.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { runKills } from './kills.ts';

test('a server that is killed six times pages for every event, by each channel, and keeps groups together', async () => {
  const { kills, channels, groups } = await runKills({
    seed: 1,
    kills: 6,
    postgres: await anyDatabase(),
  });
  assert.equal(kills, 6);
  for (const [channel, { pages }] of Object.entries(channels)) assert.ok(pages > 0, channel);
  assert.ok(groups.joined > 0 && groups.pages > 0, JSON.stringify(groups));
});
