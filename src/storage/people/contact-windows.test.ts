import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databases, testDatabase } from '../../../test/database.ts';
import { later, noon } from '../../../test/incident-life.ts';
import { seedOrganization } from '../../../test/world.ts';
import { hasOpenWindow, recordWritten } from './contact-windows.ts';

const [server] = await databases();
const address = '+4915112345678';
const connectionIds = ['1'.repeat(24), '2'.repeat(24)] as const;

test('a window is open for almost a day after its person last wrote to that connection', async () => {
  assert.ok(server);
  await using database = await testDatabase({ server });
  const { sql } = database;
  const { organizationId, users } = await seedOrganization(sql, { users: [{ name: 'Ada' }] });
  const [userId] = Object.values(users);
  assert.ok(userId);
  for (const id of connectionIds)
    await sql`
      insert into channel_connections (organization_id, id, version, name, vendor, account_id,
        position, enabled, secrets, created_at, updated_at)
      values (${organizationId}, ${id}, 1, ${id}, 'whatsapp-cloud', ${id}, 1, true, '{}', now(), now())`;
  const [connectionId, other] = connectionIds;
  const at = { organizationId, connectionId, channel: 'whatsapp', address };
  await recordWritten(sql, at, noon);
  assert.equal(await hasOpenWindow(sql, at, noon), false, 'it is the contact of nobody');
  await sql`
    insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
    values (${organizationId}, ${'3'.repeat(24)}, ${userId}, 'whatsapp', ${address}, now(), now())`;
  await recordWritten(sql, at, noon);
  await recordWritten(sql, at, later(-60));
  assert.equal(await hasOpenWindow(sql, at, later(23 * 60 + 54)), true);
  assert.equal(await hasOpenWindow(sql, at, later(23 * 60 + 55)), false);
  assert.equal(await hasOpenWindow(sql, { ...at, connectionId: other }, noon), false);
  assert.equal(await hasOpenWindow(sql, { ...at, channel: 'sms' }, noon), false);
  await recordWritten(sql, at, later(60));
  assert.equal(await hasOpenWindow(sql, at, later(24 * 60)), true);
});
