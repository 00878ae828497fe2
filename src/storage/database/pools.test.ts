import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { silentLog } from '../../engine/log.ts';
import { openPools } from './pools.ts';

test('each kind of work has connections of its own, and only the API is cut off soon', async () => {
  await using database = await testDatabase({ server: await anyDatabase(), migrations: 'none' });
  await using pools = await openPools({ url: database.url, log: silentLog });
  for (const [name, time] of [
    ['engine', '30s'],
    ['api', '5s'],
    ['housekeeping', '30s'],
  ] as const) {
    const [connection] = await pools[name]`
      select current_setting('application_name') as name,
        current_setting('statement_timeout') as time`;
    assert.deepEqual({ ...connection }, { name: `pager ${name}`, time });
  }
});
