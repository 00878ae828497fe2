// What the commands that look into a database have in common: how they reach it, and speak.
import type { Config } from '../config.ts';
import { databaseUrl } from '../database-url.ts';
import { createCommandLog } from '../log.ts';
import { hasKey } from '../secret-key.ts';
import { type DatabaseOptions, openDatabase, type Sql } from '../storage/database.ts';
import { hasCluster } from '../storage/postgres-server.ts';

export type CommandOutput = {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
};

/** Opens the database that there is, and makes none; all is closed with the stack. */
export async function openExisting(
  config: Config,
  stack: AsyncDisposableStack,
  options: Omit<DatabaseOptions, 'url' | 'log'>,
): Promise<Sql> {
  if (!(await isThere(config)))
    throw new Error(
      `there is no database in ${config.dataDir}; give the settings that the server has`,
    );
  const log = createCommandLog(config);
  const url = await databaseUrl({ config, log }, stack);
  return stack.use(await openDatabase({ url, log, ...options })).sql;
}

/** A key without its database is told of where that is looked for. */
const isThere = async ({ dataDir, databaseUrl: url }: Config): Promise<boolean> =>
  url !== null || (await hasKey(dataDir)) || hasCluster(dataDir);

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
