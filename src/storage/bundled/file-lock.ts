import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Locks between processes that the kernel drops when their holder dies, whichever way. Node offers
 * file locks nowhere else than inside SQLite, so an empty SQLite file is what is locked.
 */
export type FileLock = Disposable;

/** Takes the lock for this process alone; undefined while any other holds it. */
export function tryLock(path: string): FileLock | undefined {
  return tryTransaction(path, 'begin exclusive');
}

/** Takes the lock beside others who share it; undefined while one holds it alone. */
export function tryShare(path: string): FileLock | undefined {
  return tryTransaction(path, 'begin; select count(*) from sqlite_schema');
}

const POLL_MILLISECONDS = 50;

/** Tries until the lock is to be had, and fails once that takes too long. */
export async function acquire(
  path: string,
  take: typeof tryLock | typeof tryShare,
  millisecondsMax: number,
): Promise<FileLock> {
  const deadline = performance.now() + millisecondsMax;
  while (performance.now() < deadline) {
    const lock = take(path);
    if (lock !== undefined) return lock;
    await sleep(POLL_MILLISECONDS);
  }
  throw new Error(`another program holds ${path} for too long`);
}

function tryTransaction(path: string, begin: string): FileLock | undefined {
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec(begin);
    return { [Symbol.dispose]: () => file.close() };
  } catch (error) {
    file.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
