import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { noon } from '../../../test/incident-life.ts';
import { buildSecrets } from '../../../test/secrets.ts';
import { seedOrganization } from '../../../test/world.ts';
import { silentLog } from '../../engine/log.ts';
import { subscriptionAddress } from '../../resources/push.ts';
import { createPushDevices, sealedSubscriptionAt } from './push-devices.ts';

test('what a device shows changes only while it is verified, and its person active', async () => {
  await using database = await testDatabase({ server: await anyDatabase() });
  const { sql } = database;
  const secrets = buildSecrets(randomBytes(32).toString('hex'));
  const { organizationId, users } = await seedOrganization(sql, { users: [{ name: 'ada' }] });
  const [user_id, id] = [users['ada'] ?? '', 'd'.repeat(24)];
  const keys = { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) };
  const subscription = { endpoint: 'https://push.test/send', keys };
  await sql`insert into contacts ${sql({
    organization_id: organizationId,
    user_id,
    id,
    channel: 'push-notification',
    address: 'Firefox',
    verified_at: noon,
    created_at: noon,
    subscription_encrypted: secrets.seal(
      subscriptionAddress(subscription),
      sealedSubscriptionAt(organizationId, id),
    ),
  })}`;
  const lost = async () => undefined;
  const devices = createPushDevices({ sql, secrets, log: silentLog, lost });
  const inUse = async () => (await devices.inUse(organizationId, id)).map(({ name }) => name);
  assert.deepEqual(await inUse(), ['Firefox']);
  await sql`update users set active = false where id = ${user_id}`;
  assert.deepEqual(await inUse(), []);
  await sql`update users set active = true where id = ${user_id}`;
  await sql`update contacts set verified_at = null, state = 'gone' where id = ${id}`;
  assert.deepEqual(await inUse(), []);
});
