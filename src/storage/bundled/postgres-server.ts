import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../engine/log.ts';
import { databaseLimits } from '../../limits/database.ts';
import {
  accessSettings,
  grantAccess,
  passwordOf,
  superuserUrl,
  urlFor,
  writeAccessFiles,
} from './access.ts';
import { stopAfterKill } from './after-kill.ts';
import { type BinarySource, findPostgres, type PostgresBinaries } from './binaries.ts';
import {
  ensureCluster,
  isOwnedBy,
  type Layout,
  layoutOf,
  lockFile,
  prepareHome,
  prepareSocketDir,
  settingsFor,
} from './cluster.ts';
import { acquire, type FileLock, tryLock, tryShare } from './file-lock.ts';
import {
  adoptOrStart,
  type Postmaster,
  stopPostmaster,
  stopRunning,
  whenGone,
} from './postmaster.ts';
import { changeOwner, postgresUser, type SystemUser } from './user.ts';

/** A PostgreSQL that this program keeps running in its data directory, reached by a socket only. */
export type BundledPostgres = AsyncDisposable & {
  /** For `openDatabase`: the owner of the database, with a password. */
  readonly url: string;
  /** The superuser: for those whom the system knows as who runs the server. */
  readonly superuserUrl: string;
  readonly pid: () => number;
};

export type BundledPostgresOptions = {
  readonly dataDir: string;
  readonly log: Log;
  /** Told when the server has died, and again when it is back. */
  readonly onChange?: (state: 'down' | 'up') => void;
  readonly source?: BinarySource;
  readonly settings?: Readonly<Record<string, string>>;
  /** How long it runs on after the last program that used it was killed. */
  readonly abandonedSeconds?: number;
};

const RESTART_MILLISECONDS_MIN = 100;
const STABLE_MILLISECONDS = 60_000;

export async function startBundledPostgres(
  options: BundledPostgresOptions,
): Promise<BundledPostgres> {
  if (process.platform === 'win32') {
    throw new Error('the bundled PostgreSQL does not run on Windows: give a database URL');
  }
  const user = await postgresUser();
  await prepareHome(options.dataDir, user);
  const server = new SupervisedServer(options, user);
  await server.start();
  return server;
}

/** Whether there is data of a bundled server. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  return access(layoutOf(dataDir).cluster).then(
    () => true,
    () => false,
  );
}

/**
 * Several programs may share one data directory: each holds a share of the `users` lock, the last
 * to leave stops the server, also when it is killed, and whoever finds it dead first restarts it
 * under the `start` lock.
 */
class SupervisedServer implements BundledPostgres {
  readonly superuserUrl: string;
  readonly #options: BundledPostgresOptions;
  readonly #user: SystemUser | undefined;
  readonly #layout: Layout;
  readonly #stopping = new AbortController();
  #postmaster: Postmaster | undefined;
  #password = '';
  #share: FileLock | undefined;
  #afterKill: Disposable | undefined;
  #supervision: Promise<void> = Promise.resolve();

  constructor(options: BundledPostgresOptions, user: SystemUser | undefined) {
    this.#options = options;
    this.#user = user;
    this.#layout = layoutOf(options.dataDir);
    this.superuserUrl = superuserUrl(this.#layout);
  }

  get url(): string {
    return urlFor(this.#layout, this.#password);
  }

  pid = (): number => this.#postmaster?.pid ?? 0;

  async start(): Promise<void> {
    this.#share = await acquire(lockFile(this.#layout, 'users'), tryShare, databaseLimits.lockTime);
    const {
      dataDir,
      log,
      abandonedSeconds: seconds = databaseLimits.abandonedTime,
    } = this.#options;
    const afterKill = await stopAfterKill({ dataDir: resolve(dataDir), seconds, log });
    this.#afterKill = afterKill;
    try {
      await this.#run();
    } catch (error) {
      this.#share[Symbol.dispose]();
      afterKill[Symbol.dispose]();
      throw error;
    }
    this.#supervision = this.#supervise();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    await this.#supervision;
    using _afterKill = this.#afterKill;
    this.#share?.[Symbol.dispose]();
    using alone = tryLock(lockFile(this.#layout, 'users'));
    if (alone === undefined || this.#postmaster === undefined) return;
    const stopped = await stopPostmaster(this.#postmaster, this.#layout);
    if (!stopped) this.#options.log.error({ postgres_pid: this.pid() }, 'PostgreSQL did not stop');
  }

  async #run(): Promise<void> {
    using _starting = await acquire(
      lockFile(this.#layout, 'start'),
      tryLock,
      databaseLimits.lockTime,
    );
    const { source, log, settings: changes = {} } = this.#options;
    const layout = this.#layout;
    const user = this.#user;
    const binaries = await findPostgres({ user, source, copyTo: layout.home });
    await this.#prepare(binaries);
    const settings = settingsFor(binaries, layout, { ...changes, ...accessSettings(layout) });
    this.#postmaster = await adoptOrStart({ layout, binaries, user, settings, log });
    const { pid, adopted } = this.#postmaster;
    log.info({ postgres_pid: pid, adopted, version: binaries.version }, 'PostgreSQL is running');
  }

  /** Makes what is not there: the cluster, the program's way into it, the socket's folder. */
  async #prepare(binaries: PostgresBinaries): Promise<void> {
    const layout = this.#layout;
    const user = this.#user;
    if (user !== undefined && !(await isOwnedBy(layout, user))) {
      await stopRunning(layout);
      await changeOwner(layout.home, user);
    }
    await prepareSocketDir(layout, user);
    await ensureCluster({ layout, binaries, user });
    this.#password = (await passwordOf(layout)) ?? (await this.#grant(binaries));
    await writeAccessFiles({ layout, user });
  }

  async #grant(binaries: PostgresBinaries): Promise<string> {
    await stopRunning(this.#layout);
    return grantAccess({ layout: this.#layout, binaries, user: this.#user });
  }

  async #supervise(): Promise<void> {
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
      log.error(
        { postgres_pid: this.pid() },
        'PostgreSQL died, or nobody can connect to it; restarting it',
      );
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
      delay = Math.min(delay * 2, databaseLimits.restartWait);
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
}
