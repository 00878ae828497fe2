import { randomBytes } from 'node:crypto';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileIn = (dataDir: string) => join(dataDir, 'secret-key');

/** The key that was generated into the data directory; null: none was. */
export async function generatedKey(dataDir: string): Promise<string | null> {
  const found = await readFile(fileIn(dataDir), 'utf8').catch(() => null);
  return found?.trim() ?? null;
}

/** Generated once; the file is whole or absent, whenever the program is killed. */
export async function secretKeyIn(dataDir: string): Promise<string> {
  const found = await generatedKey(dataDir);
  if (found !== null) return found;
  const made = randomBytes(32).toString('hex');
  const partial = `${fileIn(dataDir)}.${process.pid}`;
  await writeFile(partial, `${made}\n`, { mode: 0o600, flush: true });
  await chmod(partial, 0o600);
  await rename(partial, fileIn(dataDir));
  return made;
}
