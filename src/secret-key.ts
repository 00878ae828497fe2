// The secret key in the data directory, and the next one while it is being changed.
import { randomBytes } from 'node:crypto';
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSealer } from './storage/sealed/secrets.ts';

const fileIn = (dataDir: string) => join(dataDir, 'secret-key');
const nextFileIn = (dataDir: string) => join(dataDir, 'secret-key.new');
/** For copies of the database from before. */
const oldFileIn = (dataDir: string) => join(dataDir, 'secret-key.old');

/**
 * The key that the database is bound to, if it is there; else the one that was generated. Between
 * the commit of a change and the end of it, the next one is in force already.
 */
export async function keyIn(dataDir: string, fingerprint: string | null): Promise<string | null> {
  const [current, next] = await Promise.all([read(fileIn(dataDir)), read(nextFileIn(dataDir))]);
  return next !== null && createSealer(next).fingerprint === fingerprint ? next : current;
}

export const hasKey = async (dataDir: string): Promise<boolean> =>
  (await read(fileIn(dataDir))) !== null || (await read(nextFileIn(dataDir))) !== null;

/** For a server, while nobody changes the key: ends a change that was cut off; generates one once. */
export async function settledKeyIn(dataDir: string, fingerprint: string | null): Promise<string> {
  const key = await keyIn(dataDir, fingerprint);
  const next = await read(nextFileIn(dataDir));
  if (next !== null && next === key) await putNextKey(dataDir);
  else await dropNextKey(dataDir);
  if (key !== null) return key;
  if (fingerprint !== null) throw new SecretKeyMissing(dataDir, fingerprint);
  const made = generateKey();
  await writeWhole(fileIn(dataDir), made);
  return made;
}

class SecretKeyMissing extends Error {
  constructor(dataDir: string, fingerprint: string) {
    super(
      `The database belongs to the secret key with the fingerprint ${fingerprint}, which is not in ` +
        `${dataDir}. Put it back, or set PAGER_SECRET_KEY to it: nothing encrypted can be read ` +
        'without it.',
    );
  }
}

export const generateKey = (): string => randomBytes(32).toString('hex');

/** Before the database is told: whenever the program is killed, the key in force is in a file. */
export async function writeNextKey(
  dataDir: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await writeWhole(oldFileIn(dataDir), from);
  await writeWhole(nextFileIn(dataDir), to);
}

/** Somebody else may have done it, or be about to. */
export async function putNextKey(dataDir: string): Promise<void> {
  await rename(nextFileIn(dataDir), fileIn(dataDir)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

const dropNextKey = (dataDir: string) => rm(nextFileIn(dataDir), { force: true });

async function read(file: string): Promise<string | null> {
  const key = await readFile(file, 'utf8').catch(() => null);
  return key?.trim() ?? null;
}

/** It is whole or absent, and nobody else may read it. */
async function writeWhole(file: string, key: string): Promise<void> {
  const partial = `${file}.${process.pid}`;
  await rm(partial, { force: true });
  await writeFile(partial, `${key}\n`, { mode: 0o600, flush: true });
  await chmod(partial, 0o600);
  await rename(partial, file);
}
