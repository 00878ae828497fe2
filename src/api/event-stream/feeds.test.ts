import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import { eventStreamLimits } from '../../limits/event-stream.ts';
import type { Caller } from '../route.ts';
import { Feeds } from './feeds.ts';

const id = '0'.repeat(24);
const caller: Caller = {
  kind: 'key',
  organizationId: id,
  id,
  name: 'A reader',
  role: 'viewer',
  teamIds: null,
  defaultTeamId: null,
};

test('the more streams there are, the less often the changes of a storm are sent', async () => {
  await using database = await testDatabase({ server: await anyDatabase() });
  const now = systemClock.now();
  const feeds = new Feeds({
    sql: database.sql,
    clock: { now: () => now },
    ids: createIds(systemClock),
    stillCallers: async (callers) => callers,
  });
  assert.equal(feeds.nextRead(), null);
  const feed = await feeds.follow(id);
  feeds.incidentsChanged([{ organizationId: id, id }]);
  const wait = () => now.until(feeds.nextRead() ?? now).total('milliseconds');
  const waits = [1, 300, 2_000].map((streams) => {
    while (feed.readers.size < streams)
      feeds.begin(feed, { caller, beganAt: now, sentAt: now, send() {}, end() {} }, undefined);
    return wait();
  });
  assert.deepEqual(waits, [eventStreamLimits.ownInterval, 300, eventStreamLimits.interval]);
});
