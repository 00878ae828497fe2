import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../engine/log.ts';
import { type BinarySource, findPostgres } from './bundled/binaries.ts';
import {
  DATABASE,
  ensureCluster,
  type Layout,
  layoutOf,
  prepareFolders,
  settingsFor,
} from './bundled/cluster.ts';
import { acquire, type FileLock, tryLock, tryShare } from './bundled/file-lock.ts';
import { adoptOrStart, type Postmaster, stopPostmaster, whenGone } from './bundled/postmaster.ts';
import { postgresUser } from './bundled/user.ts';

/** A PostgreSQL that this program keeps running in its data directory, reached by a socket only. */
export type BundledPostgres = AsyncDisposable & {
  /** For `openDatabase`, and for psql. */
  readonly url: string;
  readonly pid: () => number;
};

export type BundledPostgresOptions = {
  readonly dataDir: string;
  readonly log: Log;
  /** Told when the server has died, and again when it is back. */
  readonly onChange?: (state: 'down' | 'up') => void;
  readonly source?: BinarySource;
  readonly settings?: Readonly<Record<string, string>>;
};

const LOCK_MILLISECONDS_MAX = 660_000;
const RESTART_MILLISECONDS_MIN = 100;
const RESTART_MILLISECONDS_MAX = 10_000;
const STABLE_MILLISECONDS = 60_000;

export async function startBundledPostgres(
  options: BundledPostgresOptions,
): Promise<BundledPostgres> {
  if (process.platform === 'win32') {
    throw new Error('the bundled PostgreSQL does not run on Windows: give a database URL');
  }
  await prepareFolders(options.dataDir, postgresUser());
  const server = new SupervisedServer(options);
  await server.start();
  return server;
}

/**
 * Several programs may share one data directory: each holds a share of the `users` lock, the last
 * to leave stops the server, and whoever finds it dead first restarts it under the `start` lock.
 */
class SupervisedServer implements BundledPostgres {
  readonly url: string;
  readonly #options: BundledPostgresOptions;
  readonly #layout: Layout;
  readonly #stopping = new AbortController();
  #postmaster: Postmaster | undefined;
  #share: FileLock | undefined;
  #watching: Promise<void> = Promise.resolve();

  constructor(options: BundledPostgresOptions) {
    this.#options = options;
    this.#layout = layoutOf(options.dataDir);
    const host = encodeURIComponent(this.#layout.socketDir);
    this.url = `postgres://${DATABASE}@localhost/${DATABASE}?host=${host}`;
  }

  pid = (): number => this.#postmaster?.pid ?? 0;

  async start(): Promise<void> {
    this.#share = await acquire(this.#lockFile('users'), tryShare, LOCK_MILLISECONDS_MAX);
    try {
      await this.#run();
    } catch (error) {
      this.#share[Symbol.dispose]();
      throw error;
    }
    this.#watching = this.#watch();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#watching;
    this.#share?.[Symbol.dispose]();
    using alone = tryLock(this.#lockFile('users'));
    if (alone === undefined || this.#postmaster === undefined) return;
    const stopped = await stopPostmaster(this.#postmaster, this.#layout);
    if (!stopped) this.#options.log.error({ postgres_pid: this.pid() }, 'PostgreSQL did not stop');
  }

  async #run(): Promise<void> {
    using _starting = await acquire(this.#lockFile('start'), tryLock, LOCK_MILLISECONDS_MAX);
    const { source, log, settings = {} } = this.#options;
    const layout = this.#layout;
    const user = postgresUser();
    const binaries = await findPostgres({ user, source, copyTo: layout.home });
    await ensureCluster({ layout, binaries, user });
    const launch = { layout, binaries, user, settings: settingsFor(binaries, layout, settings) };
    this.#postmaster = await adoptOrStart(launch);
    const { pid, adopted } = this.#postmaster;
    log.info({ postgres_pid: pid, adopted, version: binaries.version }, 'PostgreSQL is running');
  }

  async #watch(): Promise<void> {
    const { log, onChange } = this.#options;
    const { signal } = this.#stopping;
    let delay = RESTART_MILLISECONDS_MIN;
    while (!signal.aborted && this.#postmaster !== undefined) {
      const since = performance.now();
      try {
        await whenGone(this.#postmaster, this.#layout, signal);
      } catch {
        return;
      }
      log.error({ postgres_pid: this.pid() }, 'PostgreSQL died; restarting it');
      onChange?.('down');
      if (performance.now() - since > STABLE_MILLISECONDS) delay = RESTART_MILLISECONDS_MIN;
      delay = await this.#restart(delay);
      if (!signal.aborted) onChange?.('up');
    }
  }

  /** Tries until it runs or we are stopped; answers the delay that the next death begins with. */
  async #restart(firstDelay: number): Promise<number> {
    const { signal } = this.#stopping;
    let delay = firstDelay;
    while (!signal.aborted) {
      await sleep(delay, undefined, { signal, ref: false }).catch(() => undefined);
      delay = Math.min(delay * 2, RESTART_MILLISECONDS_MAX);
      if (signal.aborted) break;
      try {
        await this.#run();
        break;
      } catch (error) {
        this.#options.log.error({ err: error }, 'PostgreSQL could not be restarted');
      }
    }
    return delay;
  }

  #lockFile(name: 'start' | 'users'): string {
    return join(this.#layout.home, `${name}.lock`);
  }
}
