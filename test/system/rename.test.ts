// The first start on a ledger of before 0.1.0, which renames the entries of its timelines.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Config, readConfig } from '../../src/config.ts';
import { systemClock as clock } from '../../src/engine/clock.ts';
import { createIds } from '../../src/engine/ids.ts';
import { type Log, silentLog } from '../../src/engine/log.ts';
import { serve } from '../../src/server/serve.ts';
import { startServer } from '../../src/server.ts';
import { dump } from '../../src/storage/backup/dump.ts';
import { openBackup } from '../../src/storage/backup/file.ts';
import { load } from '../../src/storage/backup/load.ts';
import { type Sql, transact } from '../../src/storage/database/database.ts';
import { readMigrations } from '../../src/storage/database/migrate.ts';
import { anyDatabase, testDatabase } from '../database.ts';
import {
  findingsOf,
  migrateBefore,
  migrationsFolder,
  oldSecretKey,
  storeOldLedger,
} from '../old-ledger.ts';
import { freePort } from './free-port.ts';

const server = await anyDatabase();
const empty = () => testDatabase({ server, migrations: 'none' });

async function restoreInto(sql: Sql, path: string): Promise<void> {
  await using backup = await openBackup(path);
  const migrations = await readMigrations(migrationsFolder);
  const options = { backup, migrations, folder: migrationsFolder, clock, ids: createIds(clock) };
  await transact(sql, (tx) => load(tx, options));
}

async function configOf(dataDir: string, databaseUrl: string): Promise<Config> {
  const read = readConfig({
    PAGER_DATA_DIR: dataDir,
    PAGER_DATABASE_URL: databaseUrl,
    PAGER_SECRET_KEY: oldSecretKey,
    PAGER_LISTEN: `127.0.0.1:${await freePort()}`,
    PAGER_EMAIL_LISTEN: '127.0.0.1:0',
  });
  if (!read.ok) throw new Error(read.problems.join('; '));
  return read.config;
}

const failed = (error: Error) => {
  throw error;
};
const shown = { print() {}, failed };

const oldIncidents = async (sql: Sql) =>
  (await sql`select distinct incident_id from timeline where type = 'step_fired'`).length;

test('a restored backup of before is renamed by a start, one that is stopped goes on at the next', async () => {
  await using source = await empty();
  await migrateBefore(source.sql);
  // The first is as long as what is renamed in one transaction.
  const old = await storeOldLedger(source.sql, [5_000, 7]);
  await using target = await empty();
  const { sql, url } = target;
  const dataDir = await mkdtemp(join(tmpdir(), 'pager-system-'));
  await using files = new AsyncDisposableStack();
  files.defer(() => rm(dataDir, { recursive: true }));
  const path = join(dataDir, 'backup');
  await dump(source.sql, { path, clock });
  await restoreInto(sql, path);
  const restored = { ...old, sql };
  assert.equal(await oldIncidents(sql), 2);
  assert.deepEqual(await findingsOf(restored), []);

  const config = await configOf(dataDir, url);
  const stop = new AbortController();
  let hasBegun = false;
  const log: Log = {
    ...silentLog,
    info(_, message) {
      hasBegun ||= /are being renamed/.test(message);
    },
  };
  // First asked after that for the entry of the audit log: the last of the transaction.
  const stopping = {
    now() {
      if (hasBegun) stop.abort('SIGTERM');
      return clock.now();
    },
  };
  const { signal } = stop;
  await using stopped = await serve({ ...shown, config, log, signal, clock: stopping });
  await stopped[Symbol.asyncDispose]();
  assert.equal(await oldIncidents(sql), 1);
  assert.deepEqual(await findingsOf(restored), []);

  await using started = await startServer({ ...shown, config, log: silentLog });
  assert.equal((await fetch(`http://127.0.0.1:${started.port}/readyz`)).status, 200);
  assert.equal(await oldIncidents(sql), 0);
  assert.deepEqual(await findingsOf(restored), []);
});
