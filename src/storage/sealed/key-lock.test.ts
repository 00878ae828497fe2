import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { silentLog } from '../../engine/log.ts';
import { openDatabase } from '../database/database.ts';
import { shareKey } from './key-lock.ts';

test('a lock is not taken in a session that may end before the lock is given back', async () => {
  await using database = await testDatabase({ server: await anyDatabase() });
  const { url } = database;
  await using pool = await openDatabase({ url, log: silentLog, maxConnections: 1 });
  await assert.rejects(shareKey(pool.sql), /isSingleSession/);
  await using single = await openDatabase({ url, log: silentLog, isSingleSession: true });
  await shareKey(single.sql);
});
