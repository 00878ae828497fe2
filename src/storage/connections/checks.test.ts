import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databases, testDatabase } from '../../../test/database.ts';
import { noon } from '../../../test/incident-life.ts';
import { seedOrganization } from '../../../test/world.ts';
import type { Sql } from '../database/database.ts';
import { claimChecks, hastenCheck, putOffCheck } from './checks.ts';

const after = (seconds: number) => noon.add({ seconds });
const idOf = (end: string) => end.padStart(24, '0');
const [server] = await databases();
const open = () => {
  assert.ok(server);
  return testDatabase({ server, maxConnections: 8 });
};

type Seeded = { readonly vendor?: string; readonly enabled?: boolean; readonly archived?: boolean };

async function seedConnections(sql: Sql, all: Readonly<Record<string, Seeded>>) {
  const { organizationId } = await seedOrganization(sql);
  for (const [end, { vendor = 'twilio', enabled = true, archived = false }] of Object.entries(
    all,
  )) {
    const connectionId = idOf(end);
    await sql`
      insert into channel_connections (organization_id, id, version, name, vendor, account_id,
        position, enabled, secrets, created_at, updated_at, archived_at)
      values (${organizationId}, ${connectionId}, 1, 'Calls', ${vendor}, ${end}, 1, ${enabled},
        '{}', ${noon}, ${noon}, ${archived ? noon : null})`;
    await hastenCheck(sql, { organizationId, connectionId }, noon);
  }
  const claim = async (seconds: number, of: Readonly<Record<string, number>> = {}) => {
    const due = await claimChecks(sql, {
      now: after(seconds),
      until: after(seconds + 60),
      room: { each: 8, of: new Map(Object.entries(of)) },
    });
    return due
      .map(({ id }) => id.slice(-1))
      .sort()
      .join('');
  };
  return { organizationId, claim };
}

test('of several servers one checks a connection, and another if that one dies', async () => {
  await using database = await open();
  const { claim } = await seedConnections(database.sql, { '1': {}, '2': {} });
  const claims = await Promise.all([claim(0), claim(0), claim(0), claim(0)]);
  assert.equal(claims.join('').split('').sort().join(''), '12');
  assert.deepEqual([await claim(59), await claim(60)], ['', '12']);
});

test('what is not used is not checked', async () => {
  await using database = await open();
  const unused = { '1': { enabled: false }, '2': { archived: true }, '3': {} };
  const { claim } = await seedConnections(database.sql, unused);
  assert.equal(await claim(0), '3');
});

test('a vendor of which many are being checked leaves the turn to others', async () => {
  await using database = await open();
  const slow = { vendor: 'slow' };
  const seeded = { '1': slow, '2': slow, '3': slow, '4': {}, '5': {} };
  const { claim } = await seedConnections(database.sql, seeded);
  assert.equal(await claim(0, { slow: 0 }), '45');
  assert.equal(await claim(1, { slow: 2 }), '12');
  assert.equal(await claim(2), '3');
});

test('a check is put off, and hastened only', async () => {
  await using database = await open();
  const { sql } = database;
  const { organizationId, claim } = await seedConnections(sql, { '1': {} });
  assert.equal(await claim(0), '1');
  const claimed = (seconds: number) => ({
    organization_id: organizationId,
    id: idOf('1'),
    claimedUntil: after(seconds),
  });
  await putOffCheck(sql, claimed(60), after(3_600));
  const check = { organizationId, connectionId: idOf('1') };
  await hastenCheck(sql, check, after(120));
  await hastenCheck(sql, check, after(7_200));
  assert.deepEqual([await claim(119), await claim(120)], ['', '1']);
  // While it is checked its credentials change.
  await hastenCheck(sql, check, after(121));
  await putOffCheck(sql, claimed(180), after(3_600));
  assert.equal(await claim(121), '1');
});
