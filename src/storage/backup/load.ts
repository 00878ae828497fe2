// A backup in the place of everything that a database has.
import type { Writable } from 'node:stream';
import type { Clock } from '../../engine/clock.ts';
import type { Ids } from '../../engine/ids.ts';
import { errorCode, liftTimeouts, type Queries, type Transaction } from '../database/database.ts';
import {
  isSameMigration,
  type Migration,
  migrateWithin,
  readApplied,
} from '../database/migrate.ts';
import { audit } from '../organizations/audit.ts';
import { auditedOrganization } from '../people/audited.ts';
import type { Backup, Header, Rows } from './file.ts';
import { recordRestore } from './restore-lock.ts';
import { copyTarget, quoted, restartSequence, type Table, tablesOf } from './tables.ts';

type LoadOptions = {
  readonly backup: Backup;
  /** The migrations of this program. */
  readonly migrations: readonly Migration[];
  readonly folder: string;
  readonly clock: Clock;
  readonly ids: Ids;
};

/** In a transaction that undoes all of it if anything fails. */
export async function load(tx: Transaction, options: LoadOptions): Promise<void> {
  const { backup, migrations, ids, clock } = options;
  const { header } = backup;
  await checkSchemas(tx, { migrations, header });
  await liftTimeouts(tx);
  await migrateWithin(tx, migrations.slice(0, header.migrations.length), options);
  await checkTables(tx, header.tables);
  await replaceRows(tx, backup);
  for (const sequence of header.sequences) await restartSequence(tx, sequence);
  await migrateWithin(tx, migrations, options);
  await recordRestore(tx, ids.next());
  await auditRestore(tx, { header, ids, clock });
}

type SchemaCheck = { readonly migrations: readonly Migration[]; readonly header: Header };

/** Refuses a backup that cannot be restored here. */
export async function checkSchemas(
  sql: Queries,
  { migrations, header }: SchemaCheck,
): Promise<void> {
  const unknown = header.migrations.find((one, index) => !isSameMigration(one, migrations[index]));
  if (unknown !== undefined)
    throw new Error(
      `the backup was made by a version of Pager with another schema (${unknown.name}): restore ` +
        'it with that version, or a later one',
    );
  const newer = (await readApplied(sql))[header.migrations.length];
  if (newer !== undefined)
    throw new Error(
      `the schema of this database is newer than the backup's (${newer.name}): restore it into ` +
        'an empty database, which is brought up to date then',
    );
}

async function checkTables(tx: Transaction, tables: readonly Table[]): Promise<void> {
  const expected = new Set(tables.map(copyTarget));
  const actual = await tablesOf(tx);
  const unknown = actual.find((table) => !expected.has(copyTarget(table)));
  if (unknown !== undefined || actual.length !== tables.length)
    throw new Error(
      `the backup does not fit the tables of this database${unknown ? ` (${unknown.name})` : ''}`,
    );
}

/** Triggers rest: what they would write is in the backup. */
async function replaceRows(tx: Transaction, backup: Backup): Promise<void> {
  const { tables } = backup.header;
  await tx.unsafe(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`);
  const contents = backup.read();
  for (const table of tables) {
    const { value: rows } = await contents.next();
    await tx.unsafe(`alter table ${quoted(table.name)} disable trigger user`);
    await copyIn(tx, table, rows);
    await tx.unsafe(`alter table ${quoted(table.name)} enable trigger user`);
  }
}

/**
 * When rows are refused after the last was sent, postgres.js 3.4 does not end its stream; but what
 * follows in the transaction is refused then.
 */
async function copyIn(tx: Transaction, table: Table, rows: Rows): Promise<void> {
  const copy = await tx.unsafe(`copy ${copyTarget(table)} from stdin`).writable();
  let refusal: Error | undefined;
  copy.on('error', (error) => {
    refusal ??= error;
  });
  try {
    for await (const piece of rows) await writePiece(copy, piece);
    copy.end();
    await tx`select`;
  } catch (error) {
    // PostgreSQL takes no rollback while it waits for rows, such as of a file that cannot be read.
    if (!copy.writableEnded) copy.destroy(error instanceof Error ? error : undefined);
    if (refusal !== undefined) throw refusal;
    if (errorCode(error) !== IN_FAILED_TRANSACTION) throw error;
    const reason = `the database refuses rows of ${table.name}; its log says why`;
    throw new Error(reason, { cause: error });
  }
}

const IN_FAILED_TRANSACTION = '25P02';

const writePiece = (copy: Writable, piece: Buffer): Promise<void> =>
  new Promise((done, fail) => {
    copy.write(piece, (error) => (error ? fail(error) : done()));
  });

type RestoreNote = Pick<LoadOptions, 'ids' | 'clock'> & { readonly header: Header };

/** Whoever copies audit logs elsewhere sees where this one began anew. */
async function auditRestore(tx: Transaction, { header, ids, clock }: RestoreNote): Promise<void> {
  const organizations = await tx<{ id: string }[]>`select id from organizations order by id`;
  const now = clock.now();
  for (const { id } of organizations) {
    const actor = { kind: 'server', id, name: 'pagerctl restore' };
    const act = { organizationId: id, teamIds: null, actor, requestId: null, now };
    const after = { backup_of: header.created_at };
    await audit(tx, ids, { act, ...auditedOrganization, action: 'restore', id, after });
  }
}
