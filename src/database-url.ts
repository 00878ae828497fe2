// Where the database of these settings is.
import { CannotStart } from './cannot-start.ts';
import type { Config } from './config.ts';
import type { Log } from './engine/log.ts';
import { isRestoreUnfinished } from './restore-mark.ts';
import { hasKey } from './secret-key.ts';
import { hasCluster, startBundledPostgres } from './storage/bundled/postgres-server.ts';
import { NoPostgresUser } from './storage/bundled/user.ts';

type DatabaseUrlOptions = {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl'>;
  readonly log: Log;
  /** Makes a database beside a key that was kept. */
  readonly isRestore?: boolean;
};

/** Runs the bundled server, until the stack is disposed of, where no other is given. */
export async function databaseUrl(
  { config, log, isRestore = false }: DatabaseUrlOptions,
  stack: AsyncDisposableStack,
): Promise<string> {
  const { dataDir } = config;
  if (config.databaseUrl !== null) return config.databaseUrl;
  if (!isRestore) await checkDatabaseExists(dataDir);
  try {
    return stack.use(await startBundledPostgres({ dataDir, log })).url;
  } catch (error) {
    throw error instanceof NoPostgresUser ? new CannotStart(error.message) : error;
  }
}

async function checkDatabaseExists(dataDir: string): Promise<void> {
  if (await isRestoreUnfinished(dataDir)) throw new RestoreUnfinished(dataDir);
  if ((await hasKey(dataDir)) && !(await hasCluster(dataDir))) throw new DatabaseMissing(dataDir);
}

class RestoreUnfinished extends CannotStart {
  constructor(dataDir: string) {
    super(
      `The database in ${dataDir} was created for a backup that is not restored yet. Run pagerctl ` +
        `restore again. To start over, remove ${dataDir}/postgres and ` +
        `${dataDir}/restore-unfinished, and move the secret key away.`,
    );
  }
}

/** A key is made after its database, so one without the other means that something was lost. */
class DatabaseMissing extends CannotStart {
  constructor(dataDir: string) {
    super(
      `The secret key in ${dataDir} belongs to a database that is missing. Put ` +
        `${dataDir}/postgres back, run pagerctl restore with a backup, or set PAGER_DATABASE_URL ` +
        'if the database is elsewhere. To start over, move the secret key away.',
    );
  }
}
