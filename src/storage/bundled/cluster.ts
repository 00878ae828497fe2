import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { lstat, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { databaseLimits } from '../../limits/database.ts';
import type { PostgresBinaries } from './binaries.ts';
import { makePrivateDir, openPathTo, type SystemUser } from './user.ts';

/** The one database of a bundled server, and its superuser. */
export const DATABASE = 'pager';

/** Where the parts of a bundled server lie. */
export type Layout = {
  readonly home: string;
  readonly cluster: string;
  readonly socketDir: string;
  readonly logFile: string;
};

type ClusterOptions = {
  readonly layout: Layout;
  readonly binaries: PostgresBinaries;
  readonly user: SystemUser | undefined;
};

const SOCKET = '.s.PGSQL.5432';
// The kernel's limit is 108 bytes on Linux and 104 on macOS, with the closing zero.
const SOCKET_PATH_BYTES = 103;
const PARTIAL = 'cluster.new-';

export function layoutOf(dataDir: string): Layout {
  const home = join(resolve(dataDir), 'postgres');
  const inside = join(home, 'socket');
  const isShortEnough = Buffer.byteLength(join(inside, SOCKET)) <= SOCKET_PATH_BYTES;
  const name = createHash('sha256').update(home).digest('hex').slice(0, 16);
  return {
    home,
    cluster: join(home, 'cluster'),
    socketDir: isShortEnough ? inside : join(tmpdir(), `pager-${name}`),
    logFile: join(home, 'postgres.log'),
  };
}

/** What programs that share a data directory lock: `users` while they use it, `start` to start it. */
export const lockFile = ({ home }: Layout, name: 'start' | 'users'): string =>
  join(home, `${name}.lock`);

export function socketPath(layout: Layout): string {
  return join(layout.socketDir, SOCKET);
}

export async function prepareHome(dataDir: string, user: SystemUser | undefined): Promise<void> {
  await openPathTo(resolve(dataDir), user);
  await makePrivateDir(layoutOf(dataDir).home, user);
}

export async function prepareSocketDir(
  { socketDir }: Layout,
  user: SystemUser | undefined,
): Promise<void> {
  await refuseForeign(socketDir, user);
  await makePrivateDir(socketDir, user);
}

/** Whether the cluster, if there is one, is the user's: a copy has the numbers of another machine. */
export async function isOwnedBy(
  { cluster }: Layout,
  user: SystemUser | undefined,
): Promise<boolean> {
  const stats = await stat(cluster).catch(() => undefined);
  return user === undefined || stats === undefined || stats.uid === user.uid;
}

/** A folder under /tmp could have been laid there by someone else. */
async function refuseForeign(dir: string, user: SystemUser | undefined): Promise<void> {
  const stats = await lstat(dir).catch(() => undefined);
  if (stats === undefined) return;
  const owner = user?.uid ?? process.getuid?.() ?? stats.uid;
  if (stats.isDirectory() && stats.uid === owner) return;
  throw new Error(`${dir} exists and is not ours: remove it, or choose a shorter data directory`);
}

/** Makes the cluster if there is none yet, whole or not at all, however it is interrupted. */
export async function ensureCluster(options: ClusterOptions): Promise<void> {
  const { layout, binaries } = options;
  await removePartial(layout);
  const major = await majorOf(layout.cluster);
  if (major === undefined) return makeCluster(options);
  if (major !== binaries.major) {
    throw new Error(
      `${layout.cluster} was made by PostgreSQL ${major} and this is ${binaries.version}: ` +
        'dump the database with the old version and restore it into a new data directory',
    );
  }
}

async function majorOf(cluster: string): Promise<number | undefined> {
  const text = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number.parseInt(text, 10);
}

async function makeCluster({ layout, binaries, user }: ClusterOptions): Promise<void> {
  const partial = join(layout.home, PARTIAL + randomUUID());
  const locale =
    binaries.major >= 17
      ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
      : ['--locale=C.UTF-8'];
  const args = ['--auth=reject', '--encoding=UTF8', ...locale, '--no-instructions'];
  const run = runner(layout.home, user);
  await run(binaries.initdb, ['-D', partial, '-U', DATABASE, ...args]);
  await run(
    binaries.postgres,
    ['--single', '-D', partial, 'postgres'],
    `create database ${DATABASE}`,
  );
  await rename(partial, layout.cluster);
  const home = await open(layout.home);
  await home.sync();
  await home.close();
}

/** What an interrupted initdb left. One that still runs loses its folder, and so ends. */
async function removePartial(layout: Layout): Promise<void> {
  for (const name of await readdir(layout.home)) {
    if (!name.startsWith(PARTIAL)) continue;
    await rm(join(layout.home, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
}

/** Runs a program of PostgreSQL to its end. */
export function runner(cwd: string, user: SystemUser | undefined) {
  const options = { cwd, env: postgresEnvironment(), timeout: databaseLimits.makingTime, ...user };
  return (file: string, args: readonly string[], input = '') =>
    new Promise<void>((done, fail) => {
      const child = execFile(file, args, options, (error, stdout, stderr) => {
        if (error === null) return done();
        fail(new Error(`${file} failed: ${stderr.trim() || stdout.trim()}`, { cause: error }));
      });
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input);
    });
}

/** For a small machine: an idle server of about ten light processes. Durability is not traded. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '50',
  shared_buffers: '48MB',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  huge_pages: 'off',
  jit: 'off',
  max_worker_processes: '2',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  max_logical_replication_workers: '0',
  max_wal_senders: '2',
  autovacuum_max_workers: '2',
  autovacuum_naptime: '20s',
  max_wal_size: '512MB',
  min_wal_size: '64MB',
  checkpoint_timeout: '10min',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Failed statements are logged by the program; here they would fill the disk, with secrets.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

export function settingsFor(
  binaries: PostgresBinaries,
  layout: Layout,
  changes: Readonly<Record<string, string>>,
): string[] {
  const settings = {
    ...SETTINGS,
    ...(binaries.major >= 18 ? { io_method: 'sync' } : {}),
    ...changes,
    unix_socket_directories: layout.socketDir,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
