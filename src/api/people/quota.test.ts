import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApi } from '../../../test/api.ts';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { seedOrganization } from '../../../test/world.ts';

// Still October in UTC, November already in Berlin.
const now = Temporal.Instant.from('2026-10-31T23:30:00Z');

async function setting() {
  await using starting = new AsyncDisposableStack();
  const { sql } = starting.use(await testDatabase({ server: await anyDatabase() }));
  const api = starting.use(await testApi({ sql, clock: { now: () => now } }));
  const { organizationId, caller } = await seedOrganization(sql);
  const used = (month: string, channel: string, count: number, id = organizationId) =>
    sql`insert into alert_usage values (${id}, ${month}, ${channel}, ${count})`;
  const quota = async () => (await api.send(caller({ role: 'viewer' }), 'GET /quota')).body;
  const held = starting.move();
  return { sql, organizationId, used, quota, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

test('without a limit and before anything was sent, the quota is empty', async () => {
  await using at = await setting();
  assert.deepEqual(await at.quota(), {
    month: '2026-10',
    used: 0,
    projected: 0,
    resets_at: '2026-11-01T00:00:00.000Z',
    stops_pages: false,
    by_channel: {},
  });
});

test('the quota counts this month and this organization alone, by channel', async () => {
  await using at = await setting();
  await at.sql`update organizations set monthly_alert_limit = 0`;
  const other = await seedOrganization(at.sql);
  await at.used('2026-10', 'sms', 3);
  await at.used('2026-10', 'email', 4);
  await at.used('2026-09', 'email', 50);
  await at.used('2026-10', 'email', 60, other.organizationId);
  assert.deepEqual(await at.quota(), {
    month: '2026-10',
    limit: 0,
    used: 7,
    projected: 7,
    resets_at: '2026-11-01T00:00:00.000Z',
    stops_pages: false,
    by_channel: { email: 4, sms: 3 },
  });
});

test('the month is the one where the organization is at home', async () => {
  await using at = await setting();
  await at.sql`update organizations set timezone = 'Europe/Berlin'`;
  await at.used('2026-11', 'email', 1);
  assert.deepEqual(await at.quota(), {
    month: '2026-11',
    used: 1,
    resets_at: '2026-11-30T23:00:00.000Z',
    stops_pages: false,
    by_channel: { email: 1 },
  });
});
