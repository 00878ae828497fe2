// Whoever restores a backup has a lock, by which servers know that they must let go of the database.
import { errorCode, type Queries, requireSingleSession, type Sql } from '../database/database.ts';

// Any number will do that nothing else in the database locks.
const RESTORE_LOCK = 7_243_770_004;
const restoreKey = 'last_restore';

/** To be asked again and again. It holds the lock for an instant itself. */
export async function isRestoreRunning(sql: Queries): Promise<boolean> {
  const [row] = await sql<{ free: boolean }[]>`
    select pg_try_advisory_xact_lock_shared(${RESTORE_LOCK}) as free`;
  return row?.free !== true;
}

/** On a database of one connection, until that is closed. */
export async function announceRestore(sql: Sql): Promise<void> {
  requireSingleSession(sql);
  try {
    await sql`select pg_advisory_lock(${RESTORE_LOCK})`;
  } catch (error) {
    if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error;
    throw new Error('another restore runs on this database', { cause: error });
  }
}

const LOCK_NOT_AVAILABLE = '55P03';

/** What servers hold of a database from before its last restore is wrong. */
export async function lastRestore(sql: Queries): Promise<string | null> {
  const [row] = await sql<{ value: string }[]>`
    select value from installation where key = ${restoreKey}`;
  return row?.value ?? null;
}

export async function recordRestore(sql: Queries, restore: string): Promise<void> {
  await sql`
    insert into installation (key, value) values (${restoreKey}, ${restore})
    on conflict (key) do update set value = excluded.value`;
}
