// Connections that no page waits for have less of the processors than the engine's. Beside ten slow
// lists the server and each of its connections would else wait for ten others whenever they are
// woken, some thirty times from an event to its page, although they need next to nothing.
import { readlink, realpath, writeFile } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode, type Sql } from '../database/database.ts';
import { layoutOf } from './cluster.ts';

/** As PostgreSQL lists them. */
const names = ['pager api', 'pager housekeeping', 'pager audit', 'pager backup'];
/** As `nice` counts, and as worker threads have it. */
const backgroundNice = 10;
/** The kernel lets only administrators change groups more often. */
const restMilliseconds = 120;

/** A connection's process, as long as it is one of this cluster. */
type Backend = { readonly pid: number; readonly cluster: string };

/** Of a bundled server, on Linux; answers how many connections have less from now on. */
export async function slowDownBackground(
  sql: Sql,
  { dataDir }: { readonly dataDir: string },
): Promise<number> {
  const cluster = await realpath(layoutOf(dataDir).cluster);
  const backends = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and application_name = any(${names})`;
  let slowed = 0;
  for (const { pid } of backends) {
    if (!(await isBackend({ pid, cluster })) || getPriority(pid) >= backgroundNice) continue;
    if (slowed > 0) await pause(restMilliseconds);
    if (await slowDown({ pid, cluster })) slowed += 1;
  }
  return slowed;
}

/** Else it has ended, or the server is in a container whose numbers are other processes' here. */
async function isBackend({ pid, cluster }: Backend): Promise<boolean> {
  return (await readlink(`/proc/${pid}/cwd`).catch(() => null)) === cluster;
}

/**
 * PostgreSQL makes each connection a session of its own. Where Linux shares the processors out among
 * sessions first (`autogroup`), the session's niceness counts, and elsewhere the process's. False:
 * it has ended, or a group was changed a moment ago.
 */
async function slowDown({ pid, cluster }: Backend): Promise<boolean> {
  try {
    await writeFile(`/proc/${pid}/autogroup`, `${backgroundNice}`).catch(ignoreMissing);
    setPriority(pid, backgroundNice);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EAGAIN' || !(await isBackend({ pid, cluster }))) return false;
    throw error;
  }
}

function ignoreMissing(error: unknown): void {
  if (errorCode(error) !== 'ENOENT') throw error;
}
