import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chown,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  stat,
  writeFile,
} from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../engine/log.ts';
import { databaseLimits } from '../../limits/database.ts';
import type { PostgresBinaries } from './binaries.ts';
import { type Layout, postgresEnvironment, socketPath } from './cluster.ts';
import type { SystemUser } from './user.ts';

/** The first process of a running server, ours by birth or by adoption. */
export type Postmaster = { readonly pid: number; readonly adopted: boolean };

export type Launch = {
  readonly layout: Layout;
  readonly binaries: PostgresBinaries;
  readonly user: SystemUser | undefined;
  readonly settings: readonly string[];
  readonly log: Log;
};

const POLL_MILLISECONDS = 20;
const ALIVE_CHECK_MILLISECONDS = 500;
const LOG_MILLISECONDS = 10_000;
/** A refusal that passes: processes of the previous server are still ending. */
const PASSING_REFUSAL = /already exists|still in use|in use by another|is another/;

/** Adopts the server that runs on this cluster or starts one, and waits until it answers. */
export async function adoptOrStart(launch: Launch): Promise<Postmaster> {
  const { layout, log } = launch;
  const startedAt = performance.now();
  let loggedAt = startedAt;
  for (;;) {
    const waited = performance.now() - startedAt;
    const pidFile = await readPidFile(layout);
    const runs = pidFile !== undefined && (await isPostmaster(pidFile.pid, layout));
    if (pidFile?.ready && (await answers(layout))) return { pid: pidFile.pid, adopted: true };
    if (runs && pidFile.ready && (await hasLostSocket(layout))) {
      log.warn(
        { postgres_pid: pidFile.pid },
        'the socket of PostgreSQL was deleted; restarting it',
      );
      await stopRunning(layout);
    } else if (!runs) {
      if (pidFile !== undefined) await disownPid(launch);
      const started = await start(launch);
      if (typeof started !== 'string') return started;
      if (!PASSING_REFUSAL.test(started) || waited > databaseLimits.refusedTime) {
        throw new Error(`PostgreSQL did not start: ${started}`);
      }
    } else if (waited > databaseLimits.startTime) {
      throw new Error(`the PostgreSQL of process ${pidFile.pid} neither answers nor ends`);
    } else if (performance.now() - loggedAt > LOG_MILLISECONDS) {
      loggedAt = performance.now();
      log.warn({ postgres_pid: pidFile.pid }, 'PostgreSQL runs and does not answer yet; waiting');
    }
    await sleep(10 * POLL_MILLISECONDS);
  }
}

/**
 * Resolves once nobody can connect to it: it is no more, or its socket was deleted, which only a
 * start makes anew. Rejects when the signal aborts.
 */
export async function whenGone(
  postmaster: Postmaster,
  layout: Layout,
  signal: AbortSignal,
): Promise<void> {
  while ((await isRunning(postmaster, layout)) && !(await hasLostSocket(layout))) {
    await sleep(ALIVE_CHECK_MILLISECONDS, undefined, { signal, ref: false });
  }
}

/** Cleaners of temporary folders do that. */
async function hasLostSocket(layout: Layout): Promise<boolean> {
  return stat(socketPath(layout)).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}

/** Ends the server that runs on this cluster, whoever started it. */
export async function stopRunning(layout: Layout): Promise<void> {
  const pidFile = await readPidFile(layout);
  if (pidFile === undefined || !(await isPostmaster(pidFile.pid, layout))) return;
  if (await stopPostmaster({ pid: pidFile.pid, adopted: true }, layout)) return;
  throw new Error(`the PostgreSQL of process ${pidFile.pid} does not end`);
}

/** Ends the server: open transactions are rolled back, what was committed is on disk. */
export async function stopPostmaster({ pid }: Postmaster, layout: Layout): Promise<boolean> {
  const stops = [
    ['SIGINT', databaseLimits.fastStopTime],
    ['SIGQUIT', databaseLimits.hardStopTime],
  ] as const;
  for (const [signal, limit] of stops) {
    const deadline = performance.now() + limit;
    if (await isPostmaster(pid, layout)) process.kill(pid, signal);
    while (performance.now() < deadline) {
      if (!(await isPostmaster(pid, layout))) return true;
      await sleep(POLL_MILLISECONDS);
    }
  }
  return false;
}

/** The second question is for a server in another container, whose processes we cannot see. */
async function isRunning({ pid }: Postmaster, layout: Layout): Promise<boolean> {
  return (await isPostmaster(pid, layout)) || (await answers(layout));
}

async function start(launch: Launch): Promise<Postmaster | string> {
  const { layout, binaries, user, settings } = launch;
  await rotateLog(layout);
  const log = await open(layout.logFile, 'a', 0o600);
  const logStart = (await log.stat()).size;
  // Detached: Ctrl-C in a terminal reaches the program alone, which ends the server when drained.
  const child = spawn(binaries.postgres, ['-D', layout.cluster, ...settings], {
    cwd: layout.home,
    env: postgresEnvironment(),
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
    ...user,
  });
  child.unref();
  try {
    await once(child, 'spawn');
    if (await becomesReady(child, layout)) return { pid: child.pid ?? 0, adopted: false };
    const output = (await readFile(layout.logFile)).subarray(logStart).toString();
    return output.trim() || `it ended with ${child.signalCode ?? child.exitCode}`;
  } finally {
    await log.close();
  }
}

async function becomesReady(child: ChildProcess, layout: Layout): Promise<boolean> {
  const deadline = performance.now() + databaseLimits.startTime;
  while (child.exitCode === null && child.signalCode === null) {
    const pidFile = await readPidFile(layout);
    if (pidFile?.pid === child.pid && pidFile?.ready && (await answers(layout))) return true;
    if (performance.now() > deadline) child.kill('SIGQUIT');
    await sleep(POLL_MILLISECONDS);
  }
  return false;
}

async function rotateLog({ logFile }: Layout): Promise<void> {
  const pidFile = await stat(logFile).catch(() => undefined);
  if (pidFile !== undefined && pidFile.size > databaseLimits.logBytes)
    await rename(logFile, `${logFile}.old`);
}

function pidFileOf(layout: Layout): string {
  return join(layout.cluster, 'postmaster.pid');
}

async function readPidFile(layout: Layout): Promise<{ pid: number; ready: boolean } | undefined> {
  const text = await readFile(pidFileOf(layout), 'utf8').catch(() => undefined);
  const lines = text?.split('\n') ?? [];
  const pid = Number.parseInt(lines[0] ?? '', 10);
  return pid > 0 ? { pid, ready: lines[7]?.trim() === 'ready' } : undefined;
}

/**
 * After a crash the number in the file may belong to another process of today, and PostgreSQL would
 * refuse to start. It trusts its own parent not to be a server, so the file is made to name us; the
 * rest of it stays, because it guards against processes of the old server that still write.
 */
async function disownPid({ layout, user }: Launch): Promise<void> {
  const path = pidFileOf(layout);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  await writeFile(`${path}.new`, text.replace(/^\d+/, String(process.pid)), { mode: 0o600 });
  if (user !== undefined) await chown(`${path}.new`, user.uid, user.gid);
  await rename(`${path}.new`, path);
}

/** Whether the process lives and is the server of this cluster, not a later one with its number. */
async function isPostmaster(pid: number, layout: Layout): Promise<boolean> {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return pid !== process.pid;
    return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(layout.cluster));
  } catch {
    return false;
  }
}

function answers(layout: Layout): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(socketPath(layout));
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('close', () => done(false));
    socket.once('connect', () => socket.destroy());
  });
}
