import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../engine/clock.ts';
import { type Log, messageOf } from '../../engine/log.ts';
import {
  errorCode,
  liftTimeouts,
  type Queries,
  type Sql,
  type Transaction,
  transact,
} from './database.ts';

/** One forward step of the schema; a step that was ever released is never edited. */
export type Migration = { readonly name: string; readonly sha256: string; readonly text: string };

/** The schema of the database and the migrations of this program do not belong together. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
}

export type MigrateOptions = {
  readonly sql: Sql;
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
};

/** As the database notes it. */
export type Applied = Pick<Migration, 'name' | 'sha256'>;

export const MIGRATIONS_TABLE = 'pager_migrations';

const FILE_NAME = /^\d{4}-[a-z0-9-]+\.sql$/;
/** Of a migration that was edited before its release: what databases of that time have run. */
const textsBeforeRelease: Readonly<Record<string, string>> = {
  '0026-words-of-the-ledger.sql':
    '1565c6de4c949cf70de2fd51da650e0a8ef6d4fb36679e57f0b9bfbc2380afb9',
};
// Any number will do that nothing else in the database locks.
const LOCK = 7_243_770_001;

/** Brings the schema up to this program; answers the names of the migrations it ran. */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const migrations = await readMigrations(options.folder);
  const ran: string[] = [];
  for (;;) {
    const next = await transact(options.sql, (transaction) =>
      step(transaction, migrations, options),
    );
    if (next === undefined) break;
    ran.push(next);
    if (!isNew()) options.log.info({ migration: next }, 'the schema was migrated');
  }
  // One line for all of them: everything is new.
  if (isNew()) options.log.info({ migrations: ran.length }, 'the schema was created');
  return ran;

  function isNew(): boolean {
    return ran.length > 0 && ran[0] === migrations[0]?.name;
  }
}

/** In one transaction, which may do more on that schema; answers the names of those it ran. */
export async function migrateWithin(
  transaction: Transaction,
  migrations: readonly Migration[],
  options: Pick<MigrateOptions, 'clock' | 'folder'>,
): Promise<string[]> {
  const ran: string[] = [];
  // What one leaves to the commit would be in the way of the next.
  await transaction`set constraints all immediate`;
  for (;;) {
    const next = await step(transaction, migrations, options);
    if (next === undefined) return ran;
    ran.push(next);
  }
}

/** The migrations of a folder in their order. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const misnamed = names.find((name) => !FILE_NAME.test(name));
  if (misnamed !== undefined) {
    throw new Error(`${join(folder, misnamed)} must be named like 0001-what-it-adds.sql`);
  }
  const duplicate = names.find((name, index) => names[index - 1]?.slice(0, 4) === name.slice(0, 4));
  if (duplicate !== undefined) {
    throw new Error(`${join(folder, duplicate)} has the number of another migration`);
  }
  return Promise.all(names.map((name) => readMigration(folder, name)));
}

async function readMigration(folder: string, name: string): Promise<Migration> {
  const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
  return { name, text, sha256: createHash('sha256').update(text).digest('hex') };
}

/** Each step holds the lock anew and looks again, so that many servers may start at once. */
async function step(
  transaction: Transaction,
  migrations: readonly Migration[],
  { clock, folder }: Pick<MigrateOptions, 'clock' | 'folder'>,
): Promise<string | undefined> {
  await liftTimeouts(transaction);
  const [session] = await transaction<{ wait: string }[]>`
    select current_setting('lock_timeout') as wait, set_config('lock_timeout', '0', true)`;
  await transaction`select pg_advisory_xact_lock(${LOCK})`;
  // From here on a statement that waits for a table must not hold up everyone behind it.
  await transaction`select set_config('lock_timeout', ${session?.wait ?? '0'}, true)`;
  await ensureTable(transaction);
  const next = pending(migrations, await readApplied(transaction));
  if (next === undefined) return undefined;
  try {
    await transaction.unsafe(next.text);
  } catch (error) {
    const failure = new Error(`migration ${join(folder, next.name)} failed: ${messageOf(error)}`, {
      cause: error,
    });
    // With its code, so that a deadlock is still tried again.
    throw Object.assign(failure, { code: errorCode(error) });
  }
  await transaction`
    insert into ${transaction(MIGRATIONS_TABLE)} (name, sha256, applied_at)
    values (${next.name}, ${next.sha256}, ${clock.now()})`;
  return next.name;
}

async function ensureTable(transaction: Transaction): Promise<void> {
  await transaction`
    create table if not exists ${transaction(MIGRATIONS_TABLE)} (
      name text primary key, sha256 text not null, applied_at timestamptz not null)`;
}

/** Those that have made the schema. */
export async function readApplied(sql: Queries): Promise<readonly Applied[]> {
  const [table] = await sql`select where to_regclass(${MIGRATIONS_TABLE}) is not null`;
  if (table === undefined) return [];
  const applied = await sql<Applied[]>`
    select name, sha256 from ${sql(MIGRATIONS_TABLE)} order by name collate "C"`;
  return applied.map(({ name, sha256 }) => ({ name, sha256 }));
}

/** Whether what has run is this migration. */
export const isSameMigration = (
  { name, sha256 }: Applied,
  migration: Migration | undefined,
): boolean =>
  name === migration?.name && (sha256 === migration.sha256 || sha256 === textsBeforeRelease[name]);

/** The first migration that the database lacks; everything before it must be as it is here. */
function pending(
  migrations: readonly Migration[],
  applied: readonly Applied[],
): Migration | undefined {
  for (const [index, ran] of applied.entries()) {
    const { name } = ran;
    const expected = migrations[index];
    if (!migrations.some((migration) => migration.name === name)) {
      throw new SchemaMismatch(
        `the schema is newer than this program: it has migration ${name}, unknown here; ` +
          'run the version of the program that made it, or a later one',
      );
    }
    if (expected?.name !== name) {
      throw new SchemaMismatch(
        `migration ${expected?.name} must come before ${name}, which has already run`,
      );
    }
    if (!isSameMigration(ran, expected)) {
      throw new SchemaMismatch(`migration ${name} was changed after it had run on this database`);
    }
  }
  return migrations[applied.length];
}
