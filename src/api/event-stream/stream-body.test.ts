import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import { eventStreamLimits } from '../../limits/event-stream.ts';
import type { Call, Caller } from '../route.ts';
import type { StreamEnd } from './feed.ts';
import { Feeds } from './feeds.ts';
import { StreamBody } from './stream-body.ts';

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

/** A server that answers every request with a stream, and a reader of it. */
async function setting(reads: boolean) {
  const stack = new AsyncDisposableStack();
  const { sql } = stack.use(await testDatabase({ server: await anyDatabase() }));
  const clock = systemClock;
  const ids = createIds(clock);
  const feeds = new Feeds({ sql, clock, ids, stillCallers: async (callers) => callers });
  const feed = await feeds.follow(id);
  const ends: StreamEnd[] = [];
  const server = createServer((_request, response) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    response.writeHead(200);
    const call: Pick<Call, 'caller' | 'now' | 'signal'> = {
      caller,
      now: clock.now(),
      signal: gone.signal,
    };
    const ended = (why: StreamEnd) => ends.push(why);
    new StreamBody(call, { feeds, feed, ended }).start(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stack.defer(() => void server.close());
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const socket = connect({ port: address.port, host: '127.0.0.1' });
  stack.defer(() => void socket.destroy());
  let heard = 0;
  // Every event has one, and nothing else has.
  if (reads) socket.on('data', (bytes) => (heard += `${bytes}`.split('}').length - 1));
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  while (feed.readers.size === 0) await turn();
  const hints = Array.from({ length: eventStreamLimits.hints }, (_, version) => ({
    type: 'incident',
    id,
    team_id: null,
    version,
  }));
  return {
    feeds,
    feed,
    ends,
    hints,
    heard: () => heard,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test('who reads nothing of a storm is cut off', async () => {
  await using at = await setting(false);
  while (at.feed.readers.size > 0) {
    at.feed.publish(at.hints);
    await turn();
  }
  assert.deepEqual(at.ends, ['slow']);
});

test('who reads all of a storm gets all of it', async () => {
  await using at = await setting(true);
  for (let each = 1; each <= 200; each += 1) {
    at.feed.publish(at.hints);
    while (at.feed.readers.size > 0 && at.heard() <= each * at.hints.length) await turn();
  }
  assert.equal(at.feed.readers.size, 1);
  at.feeds.close();
  while (at.feed.readers.size > 0) await turn();
  assert.deepEqual(at.ends, ['stop']);
});
