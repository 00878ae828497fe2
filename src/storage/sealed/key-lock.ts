// Whoever works with the secret key shares a lock; whoever changes the key has it alone.
import { setTimeout as pause } from 'node:timers/promises';
import type { Sql, Transaction } from '../database.ts';
import { fingerprintOf } from './installation.ts';

// Any number will do that nothing else in the database locks.
export const KEY_LOCK = 7_243_770_003;
/** By then every server that lost its connection, and with it the lock, has asked for it again. */
const NOTICED_MILLISECONDS = 5_000;

/** The key is being changed, or has been: nothing may be written with the old one any more. */
export class SecretKeyChanged extends Error {
  override readonly name = 'SecretKeyChanged';
}

export type KeyShare = {
  /** To be called again and again: a lost connection has lost the lock, too. */
  confirm(fingerprint: string): Promise<void>;
};

/** On a database of one connection, for as long as that is open. */
export async function shareKey(sql: Sql): Promise<KeyShare> {
  let holder = await share(sql);
  return {
    async confirm(fingerprint) {
      const [row] = await sql<{ session: number }[]>`select pg_backend_pid() as session`;
      if (row?.session === holder) return;
      const next = await share(sql);
      if ((await fingerprintOf(sql)) !== fingerprint)
        throw new SecretKeyChanged('the secret key of this database was changed');
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
  const [row] = await sql<{ alone: boolean }[]>`select pg_try_advisory_lock(${KEY_LOCK}) as alone`;
  if (!row?.alone)
    throw new Error('a server runs on this database: stop all servers, then try again');
  await pause(NOTICED_MILLISECONDS);
}

/** In the transaction that changes the key: the connection that took the lock may be lost. */
export async function confirmKeyLock(tx: Transaction): Promise<void> {
  const [row] = await tx<{ alone: boolean }[]>`
    select pg_try_advisory_xact_lock(${KEY_LOCK}) as alone`;
  if (!row?.alone) throw new Error('the connection to the database was lost: try again');
}
