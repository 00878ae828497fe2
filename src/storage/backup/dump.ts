// Everything in a database as it was at one moment, beside whoever works on it.
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Clock } from '../../engine/clock.ts';
import { liftTimeouts, type Sql, type Transaction, transact } from '../database/database.ts';
import { readApplied } from '../database/migrate.ts';
import { fingerprintOf } from '../sealed/installation.ts';
import { type Header, type Rows, writeBackup } from './file.ts';
import { copyTarget, quoted, sequencesOf, type Table, tablesOf } from './tables.ts';

type DumpOptions = { readonly path: string; readonly clock: Clock };

export type DumpResult = { readonly header: Header; readonly bytes: number };

export async function dump(sql: Sql, { path, clock }: DumpOptions): Promise<DumpResult> {
  const tables = await tablesOf(sql);
  return transact(sql, async (tx) => {
    await tx`set transaction isolation level repeatable read, read only`;
    await lockTables(tx, tables);
    await liftTimeouts(tx);
    const header = await headerOf(tx, clock);
    const rows = copyTables({ sql, tx }, header);
    return { header, bytes: await writeBackup(path, { header, tables: rows }) };
  });
}

/**
 * A migration would empty tables under it, for whoever looks at an earlier moment; so this comes
 * first, and the moment after it.
 */
async function lockTables(tx: Transaction, tables: readonly Table[]): Promise<void> {
  if (tables.length === 0) return;
  const names = tables.map(({ name }) => quoted(name)).join(', ');
  await tx.unsafe(`lock table ${names} in access share mode`);
}

async function headerOf(tx: Transaction, clock: Clock): Promise<Header> {
  const created_at = `${clock.now()}`;
  const tables = await tablesOf(tx);
  const hasInstallation = tables.some(({ name }) => name === 'installation');
  const fingerprint = hasInstallation ? await fingerprintOf(tx) : null;
  if (fingerprint === null) throw new Error('no server has worked on this database yet');
  const migrations = await readApplied(tx);
  return { created_at, fingerprint, migrations, tables, sequences: await sequencesOf(tx) };
}

type Copying = { readonly sql: Sql; readonly tx: Transaction };

async function* copyTables({ sql, tx }: Copying, { tables }: Header): AsyncGenerator<Rows> {
  const [session] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
  for (const table of tables) {
    const rows = await tx.unsafe(`copy ${copyTarget(table)} to stdout`).readable();
    try {
      yield rows.iterator({ destroyOnReturn: false });
    } finally {
      if (!rows.readableEnded && !rows.destroyed) await giveUp(rows, { sql, pid: session?.pid });
    }
    // Where the last rows and the end come together, postgres.js 3.4 leaves the connection paused.
    rows._read(0);
  }
}

/**
 * Who writes the rows failed, such as by a full disk. PostgreSQL sends them all the same, and takes
 * no rollback before the last one: it is asked to stop, and what is on its way is read.
 */
async function giveUp(
  rows: Readable,
  { sql, pid = 0 }: { readonly sql: Sql; readonly pid: number | undefined },
): Promise<void> {
  const ended = finished(rows).catch(() => undefined);
  await sql`select pg_cancel_backend(${pid})`.catch(() => undefined);
  rows.resume();
  await ended;
}
