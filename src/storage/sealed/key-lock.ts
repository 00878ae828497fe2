// Whoever works with the secret key shares a lock; whoever changes the key has it alone.
import { setTimeout as pause } from 'node:timers/promises';
import { isRestoreRunning, lastRestore } from '../backup/restore-lock.ts';
import { requireSingleSession, type Sql, type Transaction } from '../database/database.ts';
import { fingerprintOf } from './installation.ts';

// Any number will do that nothing else in the database locks.
export const KEY_LOCK = 7_243_770_003;
/** How PostgreSQL lists the connection by which a server holds it. Servers of 0.1.0 have another name. */
export const KEY_LOCK_NAME = 'pager key lock';
/** By then every server that lost its connection, and with it the lock, has asked for it again. */
const RECONNECT_MILLISECONDS = 5_000;
const POLL_MILLISECONDS = 100;

/** The key is being changed, or has been: nothing may be written with the old one any more. */
export class SecretKeyChanged extends Error {
  override readonly name = 'SecretKeyChanged';
}

/** A backup is being put in the place of all that there is: nobody may work meanwhile. */
export class BeingRestored extends Error {
  override readonly name = 'BeingRestored';
}

export type KeyShare = {
  /** To be called again and again: a lost connection has lost the lock, too. */
  confirm(fingerprint: string): Promise<void>;
};

/** On a database of one connection, for as long as that is open. */
export async function shareKey(sql: Sql): Promise<KeyShare> {
  requireSingleSession(sql);
  if (await isRestoreRunning(sql)) throw new BeingRestored('a backup is being restored');
  let holder = await share(sql);
  let restore: { readonly last: string | null } | undefined;
  return {
    async confirm(fingerprint) {
      const [row] = await sql<{ session: number }[]>`select pg_backend_pid() as session`;
      restore ??= { last: await lastRestore(sql) };
      if (row?.session === holder) return;
      const next = await share(sql);
      if ((await fingerprintOf(sql)) !== fingerprint)
        throw new SecretKeyChanged('the secret key of this database was changed');
      if ((await lastRestore(sql)) !== restore.last)
        throw new SecretKeyChanged('the database was replaced by a backup of it');
      holder = next;
    },
  };
}

/** Answers the session that has the lock. */
async function share(sql: Sql): Promise<number> {
  const [row] = await sql<{ session: number; shared: boolean }[]>`
    select pg_backend_pid() as session, pg_try_advisory_lock_shared(${KEY_LOCK}) as shared`;
  if (row?.shared) return row.session;
  throw new SecretKeyChanged(
    'the secret key is being changed: pagerctl rotate-secret-key runs on this database',
  );
}

/** On a database of one connection; until that is closed nobody else works with the key. */
export async function takeKeyLock(sql: Sql): Promise<void> {
  requireSingleSession(sql);
  if (!(await tryKeyLock(sql)))
    throw new Error('a server runs on this database: stop all servers, then try again');
  await pause(RECONNECT_MILLISECONDS);
}

/** The same, when servers have been told to let go of it. */
export async function awaitKeyLock(sql: Sql, limitMilliseconds: number): Promise<void> {
  requireSingleSession(sql);
  const deadline = performance.now() + limitMilliseconds;
  while (!(await tryKeyLock(sql))) {
    if (performance.now() > deadline)
      throw new Error('a server on this database still holds its lock: stop it, then try again');
    await pause(POLL_MILLISECONDS);
  }
  await pause(RECONNECT_MILLISECONDS);
}

async function tryKeyLock(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ alone: boolean }[]>`select pg_try_advisory_lock(${KEY_LOCK}) as alone`;
  return row?.alone === true;
}

/** In the transaction that changes the key: the connection that took the lock may be lost. */
export async function confirmKeyLock(tx: Transaction): Promise<void> {
  const [row] = await tx<{ alone: boolean }[]>`
    select pg_try_advisory_xact_lock(${KEY_LOCK}) as alone`;
  if (!row?.alone) throw new Error('the connection to the database was lost: try again');
}
