import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { silentLog } from '../../engine/log.ts';
import type { Sql } from '../database/database.ts';
import { openPools } from '../database/pools.ts';
import { slowDownBackground } from './background.ts';
import { layoutOf } from './cluster.ts';

const isLinux = process.platform === 'linux';

/** A data directory as a bundled server has it, with that cluster in it. */
async function createDataDir(cluster: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'pager-test-'));
  const link = layoutOf(dataDir).cluster;
  await mkdir(dirname(link));
  await symlink(cluster, link);
  return {
    dataDir,
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  };
}

async function pidOf(sql: Sql): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return row?.pid ?? 0;
}

/** What the kernel goes by where it knows sessions' groups. */
async function groupOf(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/autogroup`, 'utf8').catch(() => null);
  return text && (/nice (.+)/.exec(text)?.[1] ?? '');
}

test('the engine goes before requests and housekeeping', { skip: !isLinux }, async () => {
  await using database = await testDatabase({ server: await anyDatabase(), migrations: 'none' });
  await using pools = await openPools({ url: database.url, log: silentLog });
  const { engine, api, housekeeping } = pools;
  const [row] = await database.sql<{ folder: string }[]>`
    select current_setting('data_directory') as folder`;
  await using input = await createDataDir(row?.folder ?? '');
  await using foreign = await createDataDir(tmpdir());
  const before = getPriority(await pidOf(engine));
  assert.equal(await slowDownBackground(housekeeping, foreign), 0, 'numbers of others are left');
  await slowDownBackground(housekeeping, input);
  for (const pid of [await pidOf(api), await pidOf(housekeeping)]) {
    assert.equal(getPriority(pid), 10);
    assert.ok([null, '10'].includes(await groupOf(pid)));
  }
  assert.equal(getPriority(await pidOf(engine)), before);
  assert.equal(await slowDownBackground(housekeeping, input), 0, 'once is enough');
});
