import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databases, testDatabase } from '../../../test/database.ts';
import { noon } from '../../../test/incident-life.ts';
import { seedOrganization } from '../../../test/world.ts';
import type { Sql } from '../database/database.ts';
import { holdLane, removeIdleLanes, takeTurn } from './lanes.ts';

const connectionId = 'c'.repeat(24);

async function seedLane(sql: Sql) {
  const { organizationId } = await seedOrganization(sql);
  await sql`
    insert into channel_connections (organization_id, id, version, name, vendor, account_id,
      position, enabled, secrets, created_at, updated_at)
    values (${organizationId}, ${connectionId}, 1, 'Calls', 'twilio', 'AC1', 1, true, '{}',
      ${noon}, ${noon})`;
  return { organizationId, connectionId, channel: 'phone' };
}

const [server] = await databases();
const open = () => {
  assert.ok(server);
  return testDatabase({ server, maxConnections: 4 });
};
const after = (seconds: number) => noon.add({ seconds });

test('each waits for its turn, and nobody waits too long', async () => {
  await using database = await open();
  const { sql } = database;
  const lane = await seedLane(sql);
  const take = async (now = noon) =>
    (await takeTurn(sql, { ...lane, perSecond: 1, now }))?.at ?? null;
  const turns = await Promise.all(Array.from({ length: 40 }, () => take()));
  const taken = turns.flatMap((turn) => (turn === null ? [] : `${turn}`)).sort();
  assert.deepEqual(
    taken,
    Array.from({ length: 31 }, (_, second) => `${after(second)}`),
  );
  assert.equal(`${await take(after(10))}`, `${after(31)}`);
  assert.equal(`${await take(after(100))}`, `${after(100)}`);
});

test('a turn that comes too late for somebody is left to others', async () => {
  await using database = await open();
  const { sql } = database;
  const lane = await seedLane(sql);
  await holdLane(sql, { ...lane, until: after(10) });
  const take = async (until: Temporal.Instant) =>
    (await takeTurn(sql, { ...lane, perSecond: 1, now: noon, until }))?.at ?? null;
  assert.equal(await take(after(9)), null);
  assert.equal(`${await take(after(10))}`, `${after(10)}`);
  assert.equal(`${await take(after(100))}`, `${after(11)}`);
});

test('a vendor that takes nothing for a while holds up its own lane alone', async () => {
  await using database = await open();
  const { sql } = database;
  const lane = await seedLane(sql);
  await holdLane(sql, { ...lane, until: after(20) });
  await holdLane(sql, { ...lane, until: after(5) });
  const take = (channel: string) =>
    takeTurn(sql, { ...lane, channel, perSecond: 10, now: noon }).then((turn) => `${turn?.at}`);
  assert.deepEqual(
    [await take('phone'), await take('phone'), await take('sms')],
    [`${after(20)}`, `${after(20).add({ milliseconds: 100 })}`, `${noon}`],
  );
});

test('a lane that was not used for a while, or is held, is told from others', async () => {
  await using database = await open();
  const { sql } = database;
  const lane = await seedLane(sql);
  const take = (now: Temporal.Instant, unlessHeld = false) =>
    takeTurn(sql, { ...lane, perSecond: 1, perSecondOnceRefused: 0.2, now, unlessHeld });
  const first = async (seconds: number) => (await take(after(seconds)))?.isFirst;
  assert.deepEqual([await first(0), await first(0), await first(50)], [true, false, false]);
  assert.deepEqual([await first(120), await first(121)], [true, false]);
  await holdLane(sql, { ...lane, until: after(130) });
  assert.equal(await take(after(125), true), null);
  const turns = [await take(after(125)), await take(after(131)), await take(after(131), true)];
  assert.deepEqual(
    turns.map((turn) => `${turn?.at}`),
    [`${after(130)}`, `${after(135)}`, `${after(140)}`],
  );
});

test('a lane goes once a new one would be the same', async () => {
  await using database = await open();
  const { sql } = database;
  const lane = await seedLane(sql);
  const slow = { ...lane, channel: 'ntfy' };
  const pace = { perSecond: 1, perSecondOnceRefused: 0.2 };
  await takeTurn(sql, { ...lane, ...pace, now: noon });
  await holdLane(sql, { ...slow, until: after(10) });
  assert.equal(await removeIdleLanes(sql, after(61)), 0);
  assert.equal(await removeIdleLanes(sql, after(62)), 1);
  assert.equal((await takeTurn(sql, { ...lane, ...pace, now: after(62) }))?.isFirst, true);
  assert.equal(await removeIdleLanes(sql, after(309)), 1, 'the other one still slows down');
  assert.equal(await removeIdleLanes(sql, after(310)), 1);
});
