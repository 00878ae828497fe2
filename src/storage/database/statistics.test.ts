import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { silentLog } from '../../engine/log.ts';
import { openPools } from './pools.ts';
import { refreshStatistics } from './statistics.ts';

test('a table that has grown several-fold is analyzed, once', async () => {
  await using database = await testDatabase({ server: await anyDatabase(), migrations: 'none' });
  const { sql } = database;
  await sql`create table small (text text) with (autovacuum_enabled = false)`;
  await sql`create table grown (text text) with (autovacuum_enabled = false)`;
  const grow = (rows: number) =>
    sql`insert into grown select repeat('x', 1000) from generate_series(1, ${rows}::int)`;
  await sql`insert into small values ('x')`;
  await grow(1_000);
  assert.deepEqual(await refreshStatistics(sql), ['grown']);
  assert.deepEqual(await refreshStatistics(sql), []);
  await grow(1_000);
  assert.deepEqual(await refreshStatistics(sql), [], 'twice as large is not several-fold');
  await grow(3_000);
  assert.deepEqual(await refreshStatistics(sql), ['grown']);
});

test('rows that were not visible yet are counted when they are', async () => {
  await using database = await testDatabase({ server: await anyDatabase(), migrations: 'none' });
  const { sql } = database;
  await sql`create table filled (text text) with (autovacuum_enabled = false)`;
  const filling = await sql.reserve();
  await filling`begin`;
  await filling`insert into filled select repeat('x', 1000) from generate_series(1, 1000)`;
  assert.deepEqual(await refreshStatistics(sql), ['filled'], 'its pages are there');
  await filling`commit`;
  await filling`select pg_stat_force_next_flush()`;
  filling.release();
  assert.deepEqual(await refreshStatistics(sql), ['filled']);
  assert.deepEqual(await refreshStatistics(sql), []);
});

test('the engine takes its indexes, and others may join as they like', async () => {
  await using database = await testDatabase({ server: await anyDatabase(), migrations: 'none' });
  await using pools = await openPools({ url: database.url, log: silentLog });
  const { engine, api, housekeeping } = pools;
  for (const [sql, want] of [
    [engine, 'off'] as const,
    [api, 'on'] as const,
    [housekeeping, 'on'] as const,
  ]) {
    const [row] = await sql`select current_setting('enable_hashjoin') as joins`;
    assert.equal(row?.['joins'], want);
  }
});
