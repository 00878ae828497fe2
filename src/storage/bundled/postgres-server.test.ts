import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { silentLog } from '../../engine/log.ts';
import { DatabaseUnavailable, openDatabase } from '../database/database.ts';
import { findPostgres } from './binaries.ts';
import { type BundledPostgresOptions, startBundledPostgres } from './postgres-server.ts';
import { changeOwner, postgresUser } from './user.ts';

const WAIT_MILLISECONDS_MAX = 60_000;

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'pager-server-'));
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 5 });
  return { path, [Symbol.asyncDispose]: remove };
}

function start(dataDir: string, options: Partial<BundledPostgresOptions> = {}) {
  return startBundledPostgres({ dataDir, log: silentLog, settings: { fsync: 'off' }, ...options });
}

async function query(url: string, text: string): Promise<unknown[]> {
  await using database = await openDatabase({ url, log: silentLog, maxConnections: 1 });
  return [...(await database.sql.unsafe(text))];
}

/** Another process that starts the server on this folder and says its pid once it runs. */
function startElsewhere(dataDir: string, abandonedSeconds = 60): ChildProcess {
  const module = JSON.stringify(import.meta.resolve('./postgres-server.ts'));
  const program = `
    import { startBundledPostgres } from ${module};
    const log = { info() {}, warn() {}, error() {} };
    const server = await startBundledPostgres({
      dataDir: ${JSON.stringify(dataDir)}, abandonedSeconds: ${abandonedSeconds}, log,
    });
    setInterval(() => {}, 1000);
    process.once('SIGTERM', async () => {
      await server[Symbol.asyncDispose]();
      process.exit(0);
    });
    console.log(server.pid());`;
  const args = ['--input-type=module', '-e', program];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function logOf(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout);
  const [output] = await once(child.stdout, 'data');
  return String(output).trim();
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** How many shells wait for the end of a program that uses this folder, or what they start then. */
async function waitingFor(dataDir: string): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'args']);
  const isOne = (line: string) => line.includes('stop-abandoned') && line.includes(dataDir);
  return stdout.split('\n').filter(isOne).length;
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WAIT_MILLISECONDS_MAX;
  while (!(await isTrue())) {
    assert.ok(performance.now() < deadline, 'waited too long');
    await sleep(5);
  }
}

test('data outlives a restart, and only the socket leads to it', async () => {
  await using folder = await temporaryFolder();
  {
    await using server = await start(folder.path);
    await query(server.url, 'create table kept (id int); insert into kept values (7)');
    const [settings] = await query(
      server.url,
      `select current_setting('listen_addresses') as tcp, current_setting('fsync') as fsync,
        current_setting('synchronous_commit') as commits, lower('É') as lower`,
    );
    assert.deepEqual(settings, { tcp: '', fsync: 'off', commits: 'on', lower: 'é' });
    const socketDir = new URL(server.url).searchParams.get('host') ?? '';
    assert.equal((await stat(socketDir)).mode & 0o777, 0o700);
  }
  await using server = await start(folder.path);
  assert.deepEqual(await query(server.url, 'select id from kept'), [{ id: 7 }]);
});

test('fsync is on unless a test says otherwise', async () => {
  await using folder = await temporaryFolder();
  await using server = await start(folder.path, { settings: {} });
  assert.deepEqual(await query(server.url, 'show fsync'), [{ fsync: 'on' }]);
});

test('a server that is killed comes back with its data, and its owner is told', async () => {
  await using folder = await temporaryFolder();
  const states: string[] = [];
  const back = Promise.withResolvers<void>();
  await using server = await start(folder.path, {
    onChange: (state) => {
      states.push(state);
      if (state === 'up') back.resolve();
    },
  });
  await query(server.url, 'create table kept (id int); insert into kept values (7)');
  const killed = server.pid();
  process.kill(killed, 'SIGKILL');
  await back.promise;
  assert.deepEqual(states, ['down', 'up']);
  assert.notEqual(server.pid(), killed);
  assert.deepEqual(await query(server.url, 'select id from kept'), [{ id: 7 }]);
});

test('a pool survives the restart of its server', async () => {
  await using folder = await temporaryFolder();
  const back = Promise.withResolvers<void>();
  const onChange = (state: 'down' | 'up') => state === 'up' && back.resolve();
  await using server = await start(folder.path, { onChange });
  await using database = await openDatabase({ url: server.url, log: silentLog });
  const { sql } = database;
  await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.01)`));
  process.kill(server.pid(), 'SIGKILL');
  await back.promise;
  await until(async () => {
    const tries = [1, 2, 3, 4].map(() => sql`select 1`);
    return (await Promise.allSettled(tries)).every(({ status }) => status === 'fulfilled');
  });
});

test('a server whose program was killed is adopted, not started twice', async () => {
  await using folder = await temporaryFolder();
  const parent = startElsewhere(folder.path);
  const pid = Number(await logOf(parent));
  await end(parent, 'SIGKILL');
  const server = await start(folder.path);
  assert.equal(server.pid(), pid);
  assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }]);
  await server[Symbol.asyncDispose]();
  await assert.rejects(query(server.url, 'select 1'), DatabaseUnavailable);
});

test('a server whose last program was killed is stopped, and nothing is lost', async () => {
  await using folder = await temporaryFolder();
  const program = startElsewhere(folder.path, 1);
  const pid = Number(await logOf(program));
  await end(program, 'SIGKILL');
  process.kill(pid, 0);
  await until(async () => !isThere(pid));
  const log = await readFile(join(folder.path, 'postgres', 'postgres.log'), 'utf8');
  assert.match(log, /database system is shut down\s*$/);
  await using server = await start(folder.path);
  assert.notEqual(server.pid(), pid);
});

test('a server runs on when a program was killed that shared it', async () => {
  await using folder = await temporaryFolder();
  const program = startElsewhere(folder.path, 0);
  const pid = Number(await logOf(program));
  await using server = await start(folder.path);
  await end(program, 'SIGKILL');
  await until(async () => (await waitingFor(folder.path)) === 1);
  assert.equal(server.pid(), pid);
  assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }]);
});

test('nothing waits for the end of a program that has ended by itself', async () => {
  await using folder = await temporaryFolder();
  {
    await using _server = await start(folder.path);
    assert.equal(await waitingFor(folder.path), 1);
  }
  await until(async () => (await waitingFor(folder.path)) === 0);
});

test('two programs share one server, and the last to leave stops it', async () => {
  await using folder = await temporaryFolder();
  const [first, second] = [startElsewhere(folder.path), startElsewhere(folder.path)];
  const [pid, same] = await Promise.all([logOf(first), logOf(second)]);
  assert.equal(pid, same);
  await end(first, 'SIGTERM');
  process.kill(Number(pid), 0);
  await end(second, 'SIGTERM');
  await assert.rejects(stat(join(folder.path, 'postgres', 'cluster', 'postmaster.pid')));
});

test('a kill in the middle of initdb leaves nothing that hinders the next start', async () => {
  await using folder = await temporaryFolder();
  const home = join(folder.path, 'postgres');
  const parent = startElsewhere(folder.path);
  await until(async () => {
    const names = await readdir(home).catch(() => []);
    return names.some((name) => name.startsWith('cluster.new-'));
  });
  await end(parent, 'SIGKILL');
  assert.ok(!(await readdir(home)).includes('cluster'));
  await using server = await start(folder.path);
  assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }]);
});

test('a pid file that names a living stranger does not hinder the start', async () => {
  await using folder = await temporaryFolder();
  const pidFile = join(folder.path, 'postgres', 'cluster', 'postmaster.pid');
  let left = '';
  {
    await using server = await start(folder.path);
    left = (await readFile(pidFile, 'utf8')).replace(/^\d+/, String((await stranger()).pid));
    assert.ok(server.pid() > 0);
  }
  const user = await postgresUser();
  await writeFile(pidFile, left);
  if (user !== undefined) await chown(pidFile, user.uid, user.gid);
  await using server = await start(folder.path);
  assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }]);
});

test('the program owns its database by a password, and is no superuser', async () => {
  await using folder = await temporaryFolder();
  await using server = await start(folder.path);
  const who =
    'select current_user::text as role, rolsuper from pg_roles where rolname = current_user';
  assert.deepEqual(await query(server.url, who), [{ role: 'pager_server', rolsuper: false }]);
  assert.deepEqual(await query(server.superuserUrl, who), [{ role: 'pager', rolsuper: true }]);
  const { password } = new URL(server.url);
  for (const wrong of ['', 'guessed']) {
    const url = server.url.replace(password, wrong);
    await assert.rejects(query(url, 'select 1'), /password/);
  }
  const file = await stat(join(folder.path, 'postgres', 'password'));
  assert.equal(file.mode & 0o777, 0o600);
  assert.equal(file.uid, process.getuid?.());
});

test('what the superuser made in a version before is the program’s after a start', async () => {
  await using folder = await temporaryFolder();
  const asBefore = `
    create domain kept_id as int; create table kept (id kept_id); insert into kept values (7);
    create index on kept (id); create function seven() returns int return 7;`;
  {
    await using server = await start(folder.path);
    await query(server.superuserUrl, asBefore);
    await assert.rejects(query(server.url, 'select id from kept'), /permission denied/);
  }
  await rm(join(folder.path, 'postgres', 'password'));
  await using server = await start(folder.path);
  const altered = await query(server.url, 'alter table kept add more int; select id from kept');
  assert.deepEqual(altered.flat(), [{ id: 7 }]);
  await query(server.url, 'drop table kept; drop domain kept_id; drop function seven');
});

test('a data directory with the owners of another machine is served', {
  skip: process.getuid?.() !== 0 && 'only root runs PostgreSQL as another user',
}, async () => {
  await using folder = await temporaryFolder();
  {
    await using server = await start(folder.path);
    await query(server.url, 'create table kept (id int); insert into kept values (7)');
  }
  const stranger = { name: 'nobody', uid: 65_534, gid: 65_534 };
  await changeOwner(join(folder.path, 'postgres'), stranger);
  await using server = await start(folder.path);
  assert.deepEqual(await query(server.url, 'select id from kept'), [{ id: 7 }]);
});

test('a deleted socket comes back, and so does its folder', async () => {
  await using folder = await temporaryFolder();
  const back = Promise.withResolvers<void>();
  const onChange = (state: 'down' | 'up') => state === 'up' && back.resolve();
  await using server = await start(folder.path, { onChange });
  await query(server.url, 'create table kept (id int); insert into kept values (7)');
  await rm(join(folder.path, 'postgres', 'socket'), { recursive: true });
  await back.promise;
  assert.deepEqual(await query(server.url, 'select id from kept'), [{ id: 7 }]);
});

test('a start beside a server whose socket was deleted does not wait for it', async () => {
  await using folder = await temporaryFolder();
  const parent = startElsewhere(folder.path);
  const pid = Number(await logOf(parent));
  await end(parent, 'SIGKILL');
  await rm(join(folder.path, 'postgres', 'socket', '.s.PGSQL.5432'));
  const reported: unknown[] = [];
  const log = { ...silentLog, warn: (_: unknown, text: unknown) => reported.push(text) };
  await using server = await start(folder.path, { log });
  assert.notEqual(server.pid(), pid);
  assert.deepEqual(reported, ['the socket of PostgreSQL was deleted; restarting it']);
  assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }]);
});

test('a path too long for a socket is served from a short one', async () => {
  await using folder = await temporaryFolder();
  await chmod(folder.path, 0o755);
  const deep = join(folder.path, 'd'.repeat(120));
  await mkdir(deep, { mode: 0o755 });
  await using server = await start(deep);
  const socketDir = new URL(server.url).searchParams.get('host') ?? '';
  assert.ok(socketDir.length < 60);
  assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }]);
  await rm(socketDir, { recursive: true, force: true });
});

test('a data directory of another major version is refused with what to do', async () => {
  await using folder = await temporaryFolder();
  {
    await using _server = await start(folder.path);
  }
  await writeFile(join(folder.path, 'postgres', 'cluster', 'PG_VERSION'), '14\n');
  await assert.rejects(start(folder.path), /made by PostgreSQL 14 and this is .*: dump/);
});

test('a server that cannot start says why', async () => {
  await using folder = await temporaryFolder();
  const starting = start(folder.path, { settings: { work_mem: 'plenty' } });
  await assert.rejects(starting, /did not start: .*invalid value for parameter "work_mem"/);
});

test('programs in a folder that the database user may not enter are copied out of it', {
  skip: process.getuid?.() !== 0 && 'only root runs PostgreSQL as another user',
}, async () => {
  await using closed = await temporaryFolder();
  await using open = await temporaryFolder();
  await chmod(open.path, 0o755);
  const user = await postgresUser();
  const { postgres } = await findPostgres({ user: undefined, copyTo: open.path });
  const original = join(postgres, '../../..');
  const packageDir = join(closed.path, 'package');
  await cp(original, packageDir, {
    recursive: true,
    filter: (path) => !/\.so(\.\d+)?$/.test(path) || !path.includes('libicu'),
  });
  const match = await findPostgres({ user, packageDir, copyTo: open.path, source: 'bundled' });
  assert.ok(match.postgres.startsWith(open.path));
});

test('whoever has a number and no name is told what to do', async () => {
  const name = () => {
    throw new Error('no such user');
  };
  await assert.rejects(postgresUser({ uid: 54_321, name }), /number 54321 has none\. Add it to/);
});

/** A process of the database's user that is no database. */
async function stranger(): Promise<ChildProcess> {
  const user = await postgresUser();
  const child = spawn('sleep', ['60'], { cwd: '/', stdio: 'ignore', ...user });
  child.unref();
  process.once('exit', () => child.kill());
  return child;
}
