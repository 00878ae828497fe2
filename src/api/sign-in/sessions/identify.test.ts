import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase, testDatabase } from '../../../../test/database.ts';
import { buildSecrets } from '../../../../test/secrets.ts';
import { createIds } from '../../../engine/ids.ts';
import { silentLog as log } from '../../../engine/log.ts';
import { createAccounts } from './accounts.ts';
import { createIdentity } from './identify.ts';
import { createSameOrigin } from './same-origin.ts';

const publicUrl = 'https://pager.example.com';
const secret = 's'.repeat(64);

test('an address guesses 20 keys a second, and others are not held up', async () => {
  await using database = await testDatabase({ server: await anyDatabase() });
  const { sql } = database;
  let now = Temporal.Instant.from('2026-01-01T00:00:00Z');
  const clock = { now: () => now };
  const { digest } = buildSecrets('a secret key that only tests are told');
  const accounts = createAccounts({ sql, ids: createIds(clock), log, publicUrl, secret });
  const sameOrigin = createSameOrigin(publicUrl, secret);
  const { identify } = createIdentity({ sql, clock, log, digest, accounts, sameOrigin });
  const guess = (address: string) => identify({ 'x-api-key': 'pgr_wrong' }, 'GET', address);
  for (let count = 1; count <= 20; count += 1) assert.equal(await guess('192.0.2.1'), null);
  await assert.rejects(guess('192.0.2.1'), { code: 'rate_limited' });
  assert.equal(await guess('192.0.2.2'), null);
  now = now.add({ seconds: 1 });
  assert.equal(await guess('192.0.2.1'), null);
});
