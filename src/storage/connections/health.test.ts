import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databases, testDatabase } from '../../../test/database.ts';
import { noon } from '../../../test/incident-life.ts';
import { seedOrganization } from '../../../test/world.ts';
import { afterSend, type VendorAnswer } from '../../engine/sending/connection-health.ts';
import type { Sql } from '../database/database.ts';
import { claimProbe, noteCheck, noteHealth, readCircuits } from './health.ts';

const connectionId = 'c'.repeat(24);
const after = (seconds: number) => noon.add({ seconds });
const [server] = await databases();
const open = () => {
  assert.ok(server);
  return testDatabase({ server, maxConnections: 8 });
};

async function seedConnection(sql: Sql) {
  const { organizationId } = await seedOrganization(sql);
  await sql`
    insert into channel_connections (organization_id, id, version, name, vendor, account_id,
      position, enabled, secrets, created_at, updated_at)
    values (${organizationId}, ${connectionId}, 1, 'Calls', 'twilio', 'AC1', 1, true, '{}',
      ${noon}, ${noon})`;
  const key = { organizationId, connectionId };
  const answer = (answer: VendorAnswer, seconds: number) => {
    const now = after(seconds);
    return noteHealth(sql, { ...key, now, change: (health) => afterSend(health, answer, now) });
  };
  const read = async () => {
    const [row] = await sql`
      select state, reason, account, xmin::text from connection_health
      where connection_id = ${connectionId}`;
    return row;
  };
  const circuit = async () =>
    (await readCircuits(sql, organizationId, [connectionId]))(connectionId);
  return { key, answer, read, circuit };
}

const outage: VendorAnswer = { kind: 'outage', reason: 'timed out' };

test('failures that several servers meet at once open the circuit together', async () => {
  await using database = await open();
  const { sql } = database;
  const { answer, read, circuit } = await seedConnection(sql);
  const changes = await Promise.all([0, 1, 2, 3, 4].map((second) => answer(outage, second)));
  const opening = changes.filter(({ after }) => after.circuit.openUntil);
  assert.equal(opening.length, 1, 'it is reported once');
  assert.ok((await circuit()).openUntil);
  assert.equal((await read())?.['state'], 'failing');
});

test('of all servers one page tries, until its time is over or it has an answer', async () => {
  await using database = await open();
  const { sql } = database;
  const { key, answer, circuit } = await seedConnection(sql);
  for (const second of [0, 0, 0, 0, 0]) await answer(outage, second);
  const claim = (seconds: number) =>
    claimProbe(sql, { ...key, now: after(seconds), until: after(seconds + 60) });
  assert.equal(await claim(59), false);
  const claims = await Promise.all([60, 60, 60, 60].map(claim));
  assert.deepEqual(claims.filter(Boolean), [true]);
  assert.deepEqual([await claim(119), await claim(120)], [false, true]);
  await answer({ kind: 'ok' }, 121);
  assert.equal((await circuit()).openUntil, null);
  assert.equal(await claim(200), false);
});

test('what works is written once a minute, and the account is kept', async () => {
  await using database = await open();
  const { sql } = database;
  const { key, answer, read } = await seedConnection(sql);
  await noteCheck(sql, { ...key, now: noon, reason: null, account: 'acme' });
  const first = await read();
  await answer({ kind: 'ok' }, 59);
  assert.deepEqual(await read(), first);
  await answer({ kind: 'ok' }, 60);
  const second = await read();
  assert.notEqual(second?.['xmin'], first?.['xmin']);
  assert.equal(second?.['account'], 'acme');
});

test('a check does not hide that notices fail, unless somebody has requested it', async () => {
  await using database = await open();
  const { sql } = database;
  const { key, answer, read } = await seedConnection(sql);
  await answer({ kind: 'refusal', reason: 'set from_sms' }, 0);
  await noteCheck(sql, { ...key, now: after(300), reason: null });
  assert.deepEqual(
    [(await read())?.['state'], (await read())?.['reason']],
    [...['failing', 'set from_sms']],
  );
  await noteCheck(sql, { ...key, now: after(300), reason: null, isByHand: true });
  assert.equal((await read())?.['state'], 'ok');
});
