// Another secret key, on a real database, with the operator's command.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Sql } from '../../src/storage/database/database.ts';
import { KEY_LOCK } from '../../src/storage/sealed/key-lock.ts';
import { type TestDatabase, testDatabase } from '../database.ts';
import { eventually } from './eventually.ts';
import { seedSealed, startNoticeServers } from './sealed-records.ts';
import {
  createInstallation,
  type Installation,
  killIfThere,
  type Settings,
} from './server-process.ts';
import { systemPostgres } from './system-postgres.ts';

const postgres = await systemPostgres();
const verb = 'rotate-secret-key';
const anyKey = () => randomBytes(32).toString('hex');

test('with another key all goes on: keys, hooks, links, sessions, calendars, webhooks, chains', async () => {
  await using at = await startSealed({ PAGER_SECRET_KEY: anyKey() });
  const { installation, things, ended } = at;
  const next = { PAGER_NEW_SECRET_KEY: anyKey() };
  const busy = await ended(installation.launch(next, verb));
  assert.deepEqual([busy.code, /a server runs on this database/.test(busy.output)], [1, true]);
  assert.equal(await at.server.stop(), 0);

  const unsaid = await ended(installation.launch({}, verb));
  assert.deepEqual([unsaid.code, /set PAGER_NEW_SECRET_KEY/.test(unsaid.output)], [1, true]);
  const done = await ended(installation.launch(next, verb));
  assert.equal(done.code, 0, done.output);
  assert.match(done.output, /in use: \d\d values .* Set PAGER_SECRET_KEY to it/);
  const twice = await ended(installation.launch(next, verb));
  assert.deepEqual([twice.code, /another secret key/.test(twice.output)], [1, true]);

  const old = await ended(installation.launch());
  assert.deepEqual([old.code, /belongs to another secret key/.test(old.output)], [1, true]);
  const settings = { PAGER_SECRET_KEY: next.PAGER_NEW_SECRET_KEY };
  await things.works(await installation.start(settings));
  const audit = await ended(installation.launch(settings, 'audit'));
  assert.equal(audit.code, 0, audit.output);
});

test('a rotation that is killed leaves the old key in force, one cut off later the new one', async () => {
  await using at = await startSealed();
  const { installation, things, ended, sql } = at;
  const file = (name: string) => join(installation.dataDir, name);
  const keyOf = (name: string) => readFile(file(name), 'utf8');
  const before = await keyOf('secret-key');
  assert.equal(await at.server.stop(), 0);

  await killedHalfway(sql, installation);
  const again = await installation.start();
  await things.works(again);
  assert.equal(await keyOf('secret-key'), before);
  await assert.rejects(keyOf('secret-key.new'), /ENOENT/);
  assert.equal(await again.stop(), 0);

  const done = await ended(installation.launch({}, verb));
  assert.equal(done.code, 0, done.output);
  const after = await keyOf('secret-key');
  assert.deepEqual([await keyOf('secret-key.old'), after !== before], [before, true]);
  // As it is when the program is killed after its commit.
  await rename(file('secret-key'), file('secret-key.new'));
  await writeFile(file('secret-key'), before);
  const audit = await installation.audit();
  assert.equal(audit.code, 0, audit.output);
  await things.works(await installation.start());
  assert.equal(await keyOf('secret-key'), after);
  assert.equal((await stat(file('secret-key'))).mode & 0o777, 0o600);
});

test('a server that loses the lock while the key is changed stops at once', async () => {
  await using database = await testDatabase({ server: postgres, migrations: 'none' });
  await using installation = await createInstallation({ PAGER_DATABASE_URL: database.url });
  const server = await installation.start();
  const { sql } = database;
  const changing = await sql.reserve();
  const taken = changing`select pg_advisory_lock(${KEY_LOCK})`.execute();
  await waiting(sql);
  await sql`
    select pg_terminate_backend(pid) from pg_locks
    where mode = 'ShareLock' and ${isKeyLock(sql)}`;
  await taken;
  assert.equal(await server.ended, 1);
  assert.match(server.output(), /the secret key is being changed/);
  const refused = installation.launch();
  assert.equal(await refused.ended, 1);
  assert.match(refused.output(), /the secret key is being changed/);
  changing.release();
});

/** A server with something of everything that is sealed. */
async function startSealed(settings: Settings = {}) {
  await using stack = new AsyncDisposableStack();
  const database: TestDatabase = stack.use(
    await testDatabase({ server: postgres, migrations: 'none' }),
  );
  const world = stack.use(await startNoticeServers());
  const installation = stack.use(
    await createInstallation({
      ...world.settings,
      PAGER_DATABASE_URL: database.url,
      ...settings,
    }),
  );
  const server = await installation.start();
  const things = await seedSealed(server, { ...world, settings: installation.settings });
  const all = stack.move();
  return {
    sql: database.sql,
    installation,
    server,
    things,
    ended: async (program: ReturnType<Installation['launch']>) => ({
      code: await program.ended,
      output: program.output(),
    }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Killed when some is sealed anew and some is not: it waits for a row that another holds. */
async function killedHalfway(sql: Sql, installation: Installation): Promise<void> {
  const rotation = await sql.begin(async (tx) => {
    await tx`select from outbox for update`;
    const started = installation.launch({}, verb);
    await waiting(sql);
    killIfThere(started.pid, 'SIGKILL');
    await started.ended;
    return started;
  });
  assert.equal(await rotation.ended, 'SIGKILL');
  await eventually('the database knows that it has ended', async () => {
    const held = await sql`select from pg_locks where ${isKeyLock(sql)}`;
    return held.length === 0;
  });
}

/** Of this database: servers of other tests hold the same lock of theirs. */
const isKeyLock = (sql: Sql) => sql`
  locktype = 'advisory' and objid = (${KEY_LOCK}::bigint & 4294967295)::oid
  and database = (select oid from pg_database where datname = current_database())`;

const waiting = (sql: Sql) =>
  eventually('somebody waits for a lock', async () => {
    const sessions = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    return sessions.length > 0;
  });
