// `pagerctl restore`: a backup in the place of all that a database has. Servers wait meanwhile.
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from '../arguments.ts';
import type { Config } from '../config.ts';
import { checkDatabaseIsHere } from '../database-elsewhere.ts';
import { databaseText } from '../database-text.ts';
import { databaseUrl } from '../database-url.ts';
import { systemClock } from '../engine/clock.ts';
import { createIds } from '../engine/ids.ts';
import { databaseLimits } from '../limits/database.ts';
import { createCommandLog } from '../log.ts';
import { beginRestore, endRestore } from '../restore-mark.ts';
import { keyIn } from '../secret-key.ts';
import { type Backup, type Header, openBackup, UnreadableBackup } from '../storage/backup/file.ts';
import { checkSchemas, load } from '../storage/backup/load.ts';
import { announceRestore } from '../storage/backup/restore-lock.ts';
import { hasCluster } from '../storage/bundled/postgres-server.ts';
import {
  DatabaseUnavailable,
  openDatabase,
  type Sql,
  transact,
} from '../storage/database/database.ts';
import { readMigrations } from '../storage/database/migrate.ts';
import { canaryId } from '../storage/health/canary.ts';
import { fingerprintOf } from '../storage/sealed/installation.ts';
import { awaitKeyLock, confirmKeyLock } from '../storage/sealed/key-lock.ts';
import { createSealer } from '../storage/sealed/secrets.ts';
import { type CommandOutput, failureOf } from './command.ts';

export const usage = `pagerctl restore <file> [--yes]

  --yes   replace the contents of the database

Servers on the database respond with 503 during the restore, then continue automatically.

Exit code 0: the database is restored; 1: it is unchanged, and the message says why.
`;

type Source = { readonly file: string; readonly isSure: boolean };
type Restoring = {
  readonly backup: Backup;
  readonly isSure: boolean;
  readonly output: CommandOutput;
};

const folder = fileURLToPath(new URL('../../migrations/', import.meta.url));

/** Answers the exit code. */
export async function restoreCommand(
  args: readonly string[],
  config: Config,
  output: CommandOutput,
): Promise<0 | 1> {
  const source = sourceOf(args);
  if (typeof source === 'string') {
    output.writeError(source);
    return 1;
  }
  try {
    await using backup = await openBackup(source.file);
    await checkKey(config, backup.header);
    const { created_at } = backup.header;
    output.write(`The backup of ${created_at} goes into ${databaseText(config)}.\n`);
    await restore(config, { backup, isSure: source.isSure, output });
    output.write(`Restored: ${databaseText(config)} is as it was at ${created_at}.\n`);
    return 0;
  } catch (error) {
    output.writeError(`${failure(source, error)}\n`);
    return 1;
  }
}

function sourceOf(args: readonly string[]): Source | string {
  const options = { yes: { type: 'boolean', default: false } } as const;
  const read = readArguments(args, { options, positionalsMax: 1 });
  if (typeof read === 'string') return `${read}\n\n${usage}`;
  const [file] = read.positionals;
  return file === undefined ? usage : { file: resolve(file), isSure: read.values.yes };
}

/** What was lost may be the answer to the commit. */
class OutcomeUnknown extends Error {}

function failure({ file }: Source, error: unknown): string {
  if (error instanceof OutcomeUnknown)
    return `It is not known whether the backup was restored. The audit log shows it: ${error.message}`;
  const reason = error instanceof UnreadableBackup ? `${file}: ${error.message}` : failureOf(error);
  return `Nothing was restored: ${reason}`;
}

/** Nothing encrypted could be read with another. */
async function checkKey({ dataDir, secretKey }: Config, { fingerprint }: Header): Promise<void> {
  const key = secretKey ?? (await keyIn(dataDir, fingerprint));
  const needed = `the backup belongs to the secret key with the fingerprint ${fingerprint}`;
  if (key === null)
    throw new Error(`${needed}: put it into ${dataDir}, or set PAGER_SECRET_KEY to it`);
  const { fingerprint: mine } = createSealer(key);
  if (mine !== fingerprint) throw new Error(`${needed}, and this one has ${mine}`);
}

async function restore(config: Config, { backup, isSure, output }: Restoring): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const sql = await openOrMake(config, stack);
  const known = await readMigrations(folder);
  await checkSchemas(sql, { migrations: known, header: backup.header });
  const replaced = await replacedBy(sql, backup.header);
  if (replaced !== null && !isSure) throw new Error(`${replaced} To do that, add --yes.`);
  output.write(
    `${replaced ?? 'The database is empty.'} Servers on it wait until it is restored.\n`,
  );
  await announceRestore(sql);
  await awaitKeyLock(sql, databaseLimits.restoreWait);
  const clock = systemClock;
  await transact(sql, async (tx) => {
    await confirmKeyLock(tx);
    await load(tx, { backup, migrations: known, folder, clock, ids: createIds(clock) });
  }).catch((error: unknown) => {
    const isUnknown = error instanceof DatabaseUnavailable && error.isOutcomeUnknown;
    throw isUnknown ? new OutcomeUnknown(error.message) : error;
  });
  await endRestore(config.dataDir);
}

/** One connection, which holds the locks. A bundled database that is not there is made. */
async function openOrMake(config: Config, stack: AsyncDisposableStack): Promise<Sql> {
  const { dataDir } = config;
  const log = createCommandLog(config);
  await checkDatabaseIsHere(config);
  if (config.isDatabaseUrlEmpty)
    throw new Error(
      'PAGER_DATABASE_URL is set but empty: set it to the database, or remove it to restore into ' +
        databaseText(config),
    );
  await mkdir(dataDir, { recursive: true });
  if (config.databaseUrl === null && !(await hasCluster(dataDir))) await beginRestore(dataDir);
  const url = await databaseUrl({ config, log, isRestore: true }, stack);
  const session = await openDatabase({
    url,
    log,
    name: 'pager restore',
    isSingleSession: true,
    isPatient: true,
  });
  return stack.use(session).sql;
}

/** Null: nothing is lost. */
async function replacedBy(sql: Sql, { created_at, fingerprint }: Header): Promise<string | null> {
  const [table] = await sql`select where to_regclass('installation') is not null`;
  const there = table === undefined ? null : await fingerprintOf(sql);
  if (there === null) return null;
  const [count] = await sql<{ incidents: number; later: number }[]>`
    select count(*) as incidents,
      count(*) filter (where created_at > ${created_at}::timestamptz) as later
    from incidents where organization_id <> ${canaryId}`;
  const other = there === fingerprint ? '' : ' It belongs to another secret key.';
  return (
    `The database has ${count?.incidents} incidents, ${count?.later} of them from after the ` +
    `backup, and all that has changed since ${created_at} will be gone.${other}`
  );
}
