// What the commands that look into a database have in common: how they reach it, and speak.
import { readArguments } from '../arguments.ts';
import type { Config } from '../config.ts';
import { checkDatabaseIsHere } from '../database-elsewhere.ts';
import { databaseUrl } from '../database-url.ts';
import { diskTrouble } from '../disk-trouble.ts';
import { systemClock } from '../engine/clock.ts';
import { messageOf, silentLog } from '../engine/log.ts';
import { databaseLimits } from '../limits/database.ts';
import { createCommandLog } from '../log.ts';
import { hasKey } from '../secret-key.ts';
import { openOutbound } from '../server/outbound.ts';
import { nearestSetting } from '../settings.ts';
import { hasCluster } from '../storage/bundled/postgres-server.ts';
import {
  asUnavailable,
  type DatabaseOptions,
  openDatabase,
  type Sql,
} from '../storage/database/database.ts';

export type CommandOutput = {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
};

/** What the channels of a command work with. */
export function sendingWorld(config: Config) {
  const world = { config, log: silentLog, clock: systemClock };
  return { ...world, outbound: openOutbound(world) };
}

/** Opens the database that there is, and makes none; all is closed with the stack. */
export async function openExisting(
  config: Config,
  stack: AsyncDisposableStack,
  options: Omit<DatabaseOptions, 'url' | 'log'>,
): Promise<Sql> {
  await checkDatabaseIsHere(config);
  if (!(await isThere(config)))
    throw new Error(
      `there is no database in ${config.dataDir}; use the same settings as the server`,
    );
  const log = createCommandLog(config);
  const url = await databaseUrl({ config, log }, stack);
  const connectSeconds = databaseLimits.commandConnectTime;
  const patient = { url, log, connectSeconds, isPatient: true };
  return stack.use(await openDatabase({ ...patient, ...options })).sql;
}

/** A data directory with a key counts: opening its missing database then says where it is expected. */
const isThere = async ({ dataDir, databaseUrl: url }: Config): Promise<boolean> =>
  url !== null || (await hasKey(dataDir)) || hasCluster(dataDir);

/** Why a verb failed, in words that its operator can use. */
export const failureOf = (error: unknown): string =>
  diskTrouble(error) ?? messageOf(asUnavailable(error));

/** For verbs that take settings and no arguments: a refusal that names the setting to use. */
export function unexpectedArgument(args: readonly string[]): string | null {
  const read = readArguments(args, { options: {} });
  if (typeof read !== 'string') return null;
  const [, flag] = /^There is no --?([a-z-]+)/.exec(read) ?? [];
  const setting = flag && nearestSetting(`PAGER_${flag.toUpperCase().replaceAll('-', '_')}`);
  return setting ? `${read} Set ${setting} instead.` : read;
}
