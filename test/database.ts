import { createHash, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import postgres from 'postgres';
import { systemClock } from '../src/engine/clock.ts';
import { messageOf, silentLog } from '../src/engine/log.ts';
import {
  type BundledPostgres,
  startBundledPostgres,
} from '../src/storage/bundled/postgres-server.ts';
import { openDatabase, type Sql, splitHost } from '../src/storage/database/database.ts';
import { migrate, readMigrations } from '../src/storage/database/migrate.ts';
import { skipped } from './skipped.ts';

/** A PostgreSQL on which tests may make and drop databases. */
export type TestServer = { readonly name: string; readonly url: string };

/** A database of one test, dropped when the test is done. */
export type TestDatabase = AsyncDisposable & { readonly sql: Sql; readonly url: string };

export type TestDatabaseOptions = {
  readonly server: TestServer;
  /** The folder of migrations; `none` leaves the database empty. */
  readonly migrations?: string | 'none';
  readonly maxConnections?: number;
};

type Source = 'bundled' | 'system';
type Running = AsyncDisposable & { readonly url: string };
type Started = AsyncDisposable & { readonly servers: readonly TestServer[] };

const VARIABLES = { bundled: 'PAGER_TEST_PG_BUNDLED', system: 'PAGER_TEST_PG_SYSTEM' } as const;
const URL_VARIABLE = 'PAGER_TEST_DATABASE_URL';
const MIGRATIONS = join(import.meta.dirname, '..', 'migrations');
/** What is lost in a crash does not matter here. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '100',
  max_wal_size: '256MB',
};
/** A file system in memory, on Linux; used where that much is free of it and of memory. */
const MEMORY_FOLDER = '/dev/shm';
const FREE_BYTES_MIN = 4 * 1024 ** 3;
const TEMPLATE_LOCK = 7_243_770_002;

/** Then it closes, or the process would not end. */
const ADMIN_IDLE_SECONDS = 1;

let own: Promise<TestServer[]> | undefined;
const admins = new Map<string, postgres.Sql>();
const templates = new Map<string, Promise<string>>();

/**
 * The servers that tests of the storage run against: those of the runner, else one of its own. Of several
 * the last, whose PostgreSQL is the oldest, for all else runs against the first; `all` for what may
 * differ between versions.
 */
export async function databases(which: 'oldest' | 'all' = 'oldest'): Promise<TestServer[]> {
  const servers = await everyDatabase();
  return which === 'all' ? servers : servers.slice(-1);
}

async function everyDatabase(): Promise<TestServer[]> {
  const servers = serversOfRunner();
  if (servers.length > 0) return servers;
  own ??= startOwn();
  return own;
}

/** For tests that need a database but do not care which. */
export async function anyDatabase(): Promise<TestServer> {
  const [server] = await everyDatabase();
  if (server === undefined) throw new Error('there is no PostgreSQL to test with');
  return server;
}

/** Whether somebody waits for a lock in this database. */
export async function isAnyoneWaiting(sql: Sql): Promise<boolean> {
  const waiting = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return waiting.length > 0;
}

function serversOfRunner(): TestServer[] {
  const { bundled, system } = VARIABLES;
  const named = [
    ['bundled', process.env[bundled]],
    ['system', process.env[system]],
    ['given', process.env[URL_VARIABLE]],
  ] as const;
  return named.flatMap(([name, url]) => (url ? [{ name: `PostgreSQL (${name})`, url }] : []));
}

async function startOwn(): Promise<TestServer[]> {
  const started = await startTestServers(['bundled']);
  after(() => started[Symbol.asyncDispose]());
  return [...started.servers];
}

/** Starts throw-away servers and lets test processes started from here know of them. */
export async function startTestServers(
  sources: readonly Source[] = ['bundled', 'system'],
): Promise<Started> {
  const all = new AsyncDisposableStack();
  const servers: TestServer[] = [];
  for (const source of sources) {
    const server = await startOne(source);
    if (server === undefined) continue;
    all.use(server);
    servers.push({ name: `PostgreSQL (${source})`, url: server.url });
    process.env[VARIABLES[source]] = server.url;
  }
  return { servers, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

async function startOne(source: Source): Promise<Running | undefined> {
  const dataDir = await mkdtemp(join(await findFolder(), 'pager-test-'));
  let server: BundledPostgres;
  try {
    server = await startBundledPostgres({ dataDir, log: silentLog, source, settings: SETTINGS });
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true });
    const reason = messageOf(error);
    skipped(`storage on the ${source} PostgreSQL`, reason);
    return undefined;
  }
  const abandon = () => {
    process.kill(server.pid(), 'SIGQUIT');
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', abandon);
  return {
    url: server.superuserUrl,
    async [Symbol.asyncDispose]() {
      process.off('exit', abandon);
      await server[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Each database is hundreds of files, which a disk makes and removes several times as slowly. */
async function findFolder(): Promise<string> {
  const inMemory = await statfs(MEMORY_FOLDER).catch(() => null);
  const free = Math.min(inMemory === null ? 0 : inMemory.bavail * inMemory.bsize, freemem());
  return free < FREE_BYTES_MIN ? tmpdir() : MEMORY_FOLDER;
}

/** A fresh database with the schema of the migrations, cloned from a template in some 30 ms. */
export async function testDatabase(options: TestDatabaseOptions): Promise<TestDatabase> {
  const { server, migrations = MIGRATIONS, maxConnections = 4 } = options;
  const name = `test_${randomBytes(8).toString('hex')}`;
  const template = migrations === 'none' ? 'template0' : await templateOf(server, migrations);
  const admin = adminOf(server);
  await admin`create database ${admin(name)} template ${admin(template)} strategy file_copy encoding 'UTF8'`;
  const url = urlOf(server, name);
  const database = await openDatabase({ url, log: silentLog, maxConnections });
  return {
    url,
    sql: database.sql,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await admin`drop database ${admin(name)} with (force)`;
    },
  };
}

/** A connection is a tenth of what a database costs, so all databases of a process share this one. */
function adminOf({ url }: TestServer): postgres.Sql {
  const known = admins.get(url);
  if (known) return known;
  const { url: address, host } = splitHost(url);
  const admin = postgres(address, {
    ...(host === undefined ? {} : { host }),
    max: 1,
    idle_timeout: ADMIN_IDLE_SECONDS,
    onnotice: () => {},
  });
  admins.set(url, admin);
  return admin;
}

function templateOf(server: TestServer, folder: string): Promise<string> {
  const key = `${server.url} ${folder}`;
  const known = templates.get(key) ?? ensureTemplate(server, folder);
  templates.set(key, known);
  return known;
}

/** Made once per server and set of migrations, whichever process comes first. */
async function ensureTemplate(server: TestServer, folder: string): Promise<string> {
  const steps = await readMigrations(folder);
  const hash = createHash('sha256').update(JSON.stringify(steps)).digest('hex').slice(0, 16);
  const template = `pager_template_${hash}`;
  const exists = (sql: Sql) => sql`select 1 from pg_database where datname = ${template}`;
  await administer(server, async (sql) => {
    if ((await exists(sql)).length > 0) return;
    // Held by the one connection there is, until it closes.
    await sql`select set_config('lock_timeout', '0', false)`;
    await sql`select set_config('statement_timeout', '0', false)`;
    await sql`select pg_advisory_lock(${TEMPLATE_LOCK})`;
    if ((await exists(sql)).length === 0) await makeTemplate(server, sql, { template, folder });
  });
  return template;
}

async function makeTemplate(
  server: TestServer,
  admin: Sql,
  { template, folder }: { readonly template: string; readonly folder: string },
): Promise<void> {
  const partial = `${template}_new`;
  await admin`drop database if exists ${admin(partial)} with (force)`;
  await admin`create database ${admin(partial)} template template0 encoding 'UTF8'`;
  {
    await using database = await openDatabase({ url: urlOf(server, partial), log: silentLog });
    await migrate({ sql: database.sql, folder, clock: systemClock, log: silentLog });
  }
  await admin`alter database ${admin(partial)} rename to ${admin(template)}`;
}

async function administer(server: TestServer, work: (sql: Sql) => Promise<void>): Promise<void> {
  await using admin = await openDatabase({ url: server.url, log: silentLog, maxConnections: 1 });
  await work(admin.sql);
}

function urlOf(server: TestServer, database: string): string {
  const url = new URL(server.url);
  url.pathname = `/${database}`;
  return url.href;
}
