// Servers as their claims name them, so that what dead ones left need not wait for its lease.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { failureOf, type Log } from '../../engine/log.ts';
import { acquire, tryLock, tryShare } from '../bundled/file-lock.ts';
import { releaseListenersOf } from '../connections/listeners.ts';
import type { Sql } from '../database/database.ts';

/** A living server. All that share a data directory have one name; null: it has none. */
export type Claimant = Disposable & { readonly name: string | null };

type Opening = {
  readonly sql: Sql;
  readonly dataDir: string;
  readonly log: Log;
  readonly now: Temporal.Instant;
};

/** Another has the lock alone for one query. */
const SHARE_MILLISECONDS = 10_000;

/**
 * Claims are made only while their server shares the lock that they are named after. So whoever
 * has it alone knows that all who claimed under its name are dead, and that nobody claims now.
 * Without a name leases are waited for, which is no reason not to start.
 */
export async function openClaimant(opening: Opening): Promise<Claimant> {
  const { dataDir, log } = opening;
  const path = join(dataDir, 'servers.lock');
  try {
    const name = await clearedName(path, opening);
    const share = await acquire(path, tryShare, SHARE_MILLISECONDS);
    return { name, [Symbol.dispose]: () => share[Symbol.dispose]() };
  } catch (error) {
    log.info(
      { reason: failureOf(error) },
      'if this server is killed, its notices are sent again only when their leases end',
    );
    return { name: null, [Symbol.dispose]: () => undefined };
  }
}

/** The lock's name. If nobody lives who has it, what was left under it is made due, and read on. */
async function clearedName(path: string, opening: Opening): Promise<string> {
  using alone = tryLock(path);
  const name = await nameOf(path);
  if (alone === undefined) return name;
  await releaseListenersOf(opening.sql, name);
  const notices = await makeDue(opening, name);
  if (notices > 0)
    opening.log.info({ notices }, 'notices that killed servers were sending are due at once');
  return name;
}

/**
 * By the kernel that keeps the lock and the file it is kept on. Nothing of it is in the file, so
 * no copy of a directory or of a machine has the same.
 */
async function nameOf(path: string): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
  const { dev, ino } = await stat(path, { bigint: true });
  return `${boot.trim()} ${dev} ${ino}`;
}

/** Answers how many notices they are. */
async function makeDue({ sql, now }: Opening, name: string): Promise<number> {
  // Written so that only what waits is looked at, and of it the newest attempts.
  const { count } = await sql`
    update outbox o set wake_at = ${now}
    where o.state = 'pending' and o.wake_at > ${now}
      and ${name} = (
        select a.claimed_by from attempts a
        where a.organization_id = o.organization_id and a.key = o.key and a.number = o.attempts
          and a.finished_at is null)`;
  return count;
}
