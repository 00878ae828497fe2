import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cacheFor } from '../../../test/configuration.ts';
import { anyDatabase } from '../../../test/database.ts';
import { noon } from '../../../test/incident-life.ts';
import { noFaults as faults } from '../../../test/no-faults.ts';
import { startShiftDelivery } from '../../../test/shift-delivery.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import { noteCheck } from '../connections/health.ts';
import { notifyOfFailingConnection } from './failing-connections.ts';

const people = {
  users: [
    { name: 'ada' },
    { name: 'admin', role: 'admin' },
    { name: 'owner', role: 'owner' },
    { name: 'left', role: 'admin', active: false },
  ],
} as const;
const after = (minutes: number) => noon.add({ minutes });
const connectionId = 'c'.repeat(24);

async function start(stack: AsyncDisposableStack) {
  const delivery = stack.use(await startShiftDelivery(await anyDatabase(), people));
  const { sql, secrets, ledger } = delivery;
  const [organization] = await sql<{ id: string }[]>`select id from organizations`;
  assert.ok(organization);
  const key = { organizationId: organization.id, connectionId };
  await sql`
    insert into channel_connections (organization_id, id, version, name, vendor, account_id,
      position, enabled, secrets, created_at, updated_at)
    values (${organization.id}, ${connectionId}, 1, 'Calls', 'twilio', 'AC1', 1, true, '{}',
      ${noon}, ${noon})`;
  const parts = {
    sql,
    secrets,
    faults,
    ids: createIds(systemClock),
    configurations: cacheFor('email', 'telegram'),
  };
  const check = (minutes: number, reason: string | null) =>
    noteCheck(sql, { ...key, now: after(minutes), reason });
  const notifyAt = (minutes: number) => notifyOfFailingConnection(parts, key, after(minutes));
  const notified = async () => {
    const rows = await sql<{ text: string }[]>`
      select concat(notice->>'recipient', ' by ', channel) as text
      from outbox where kind = 'connection_failing' order by key`;
    return rows.map(({ text }) => text).sort();
  };
  return { sql, ledger, check, notifyAt, notified };
}

test('once it has failed for ten minutes, all admins are told by e-mail', async () => {
  await using stack = new AsyncDisposableStack();
  const { ledger, check, notifyAt, notified } = await start(stack);
  await check(0, 'set auth_token');
  assert.equal(await notifyAt(9), null);
  assert.equal(await notifyAt(10), true);
  assert.deepEqual(await notified(), ['admin Example by email', 'owner Example by email']);
  const now = after(10);
  const request = { now, leaseUntil: after(11), limit: 1, busy: [], perRecipient: 1 };
  const [notice] = await ledger.transact((tx) => tx.claim(request, () => null));
  assert.ok(notice?.about === 'connection');
  const { since, ...connection } = notice.connection;
  assert.deepEqual(connection, { id: connectionId, name: 'Calls', reason: 'set auth_token' });
  assert.equal(`${since}`, `${noon}`);
  assert.equal(notice.why, 'you are an admin of the organization');
});

test('they are told once a day at most, whatever happens in between', async () => {
  await using stack = new AsyncDisposableStack();
  const { check, notifyAt, notified } = await start(stack);
  const day = 24 * 60;
  await check(0, 'set auth_token');
  assert.equal(await notifyAt(10), true);
  assert.equal(await notifyAt(12), null);
  await check(20, null);
  assert.equal(await notifyAt(30), null, 'it works');
  await check(40, 'set auth_token');
  assert.equal(await notifyAt(10 + day - 1), null);
  assert.equal(await notifyAt(10 + day), true);
  assert.equal((await notified()).length, 4);
});

for (const end of ['enabled = false', 'archived_at = updated_at'])
  test(`nobody is told of a connection with ${end}`, async () => {
    await using stack = new AsyncDisposableStack();
    const { sql, check, notifyAt } = await start(stack);
    await check(0, 'set auth_token');
    await sql`update channel_connections set ${sql.unsafe(end)}`;
    assert.equal(await notifyAt(10), null);
  });
