// Writes files into a folder: all of them, or none.
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { File } from './configuration.ts';

const SECRET_MODE = 0o600;
const PLAIN_MODE = 0o644;

/** Which of the names the folder has already. */
export async function presentIn(folder: string, names: readonly string[]): Promise<string[]> {
  const present = await orWithout(readdir(folder), []);
  return names.filter((name) => present.includes(name));
}

/** What has one of the names in `replaced` goes; whatever else the folder has stays as it is. */
export async function writeFiles(
  folder: string,
  files: readonly File[],
  replaced: readonly string[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const names = new Set([...replaced, ...files.map(({ name }) => name)]);
  const there = await presentIn(folder, [...names]);
  // In the folder itself, so that a rename is all that is left to do.
  const aside = await mkdtemp(join(folder, '.pager-export-'));
  const [coming, leaving] = [join(aside, 'coming'), join(aside, 'leaving')];
  try {
    await mkdir(coming);
    await mkdir(leaving);
    for (const { name, text, isSecret } of files) {
      const mode = isSecret ? SECRET_MODE : PLAIN_MODE;
      await writeFile(join(coming, name), text, { mode });
    }
    await moveAll([
      ...there.map((name) => [join(folder, name), join(leaving, name)] as const),
      ...files.map(({ name }) => [join(coming, name), join(folder, name)] as const),
    ]);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** What was moved goes back if one cannot be. */
async function moveAll(moves: readonly (readonly [from: string, to: string])[]): Promise<void> {
  const done: (readonly [from: string, to: string])[] = [];
  try {
    for (const move of moves) {
      await rename(...move);
      done.push(move);
    }
  } catch (error) {
    for (const [from, to] of done.reverse()) await rename(to, from);
    throw error;
  }
}

/** Git's list of what it leaves alone, with the file of secrets on it. */
export async function ignoring(folder: string, name: string): Promise<File> {
  const text = await orWithout(readFile(join(folder, '.gitignore'), 'utf8'), '');
  const lines = text.split('\n');
  if (lines.includes(name)) return { name: '.gitignore', text, isSecret: false };
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return { name: '.gitignore', text: `${before}${name}\n`, isSecret: false };
}

async function orWithout<Value>(reading: Promise<Value>, without: Value): Promise<Value> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return without;
    throw error;
  }
}
