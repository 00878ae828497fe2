// `pagerctl backup`: all that a database has, in one file, beside running servers.
import { access, open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { readArguments } from '../arguments.ts';
import type { Config } from '../config.ts';
import { databaseText } from '../database-text.ts';
import { systemClock } from '../engine/clock.ts';
import { type DumpResult, dump } from '../storage/backup/dump.ts';
import { readAgain } from '../storage/database/database.ts';
import { type CommandOutput, failureOf, openExisting } from './command.ts';

export const usage = `pagerctl backup <file> [--force]

  --force   replace an existing file with that name

Servers can keep running. The backup does not contain the secret key: keep the key elsewhere.

Exit code 0: the file is complete and on disk; 1: no backup was made, and the message says why.
`;

type Target = { readonly file: string; readonly force: boolean };

/** Answers the exit code. */
export async function backupCommand(
  args: readonly string[],
  config: Config,
  { write, writeError }: CommandOutput,
): Promise<0 | 1> {
  const target = targetOf(args);
  if (typeof target === 'string') {
    writeError(target);
    return 1;
  }
  try {
    write(`Backing up ${databaseText(config)}.\n`);
    write(report(target, await backUp(target, config)));
    return 0;
  } catch (error) {
    writeError(`No backup was made: ${failureOf(error)}\n`);
    return 1;
  }
}

function targetOf(args: readonly string[]): Target | string {
  const options = { force: { type: 'boolean', default: false } } as const;
  const read = readArguments(args, { options, positionalsMax: 1 });
  if (typeof read === 'string') return `${read}\n\n${usage}`;
  const [file] = read.positionals;
  return file === undefined ? usage : { file: resolve(file), force: read.values.force };
}

/** Until it is whole it has another name. */
async function backUp({ file, force }: Target, config: Config): Promise<DumpResult> {
  if (!force && (await exists(file)))
    throw new Error(`${file} already exists: choose another file, or replace it with --force`);
  const partial = `${file}.${process.pid}.partial`;
  await using stack = new AsyncDisposableStack();
  const sql = await openExisting(config, stack, { maxConnections: 2, name: 'pager backup' });
  stack.defer(() => rm(partial, { force: true }));
  const dumped = await readAgain(sql, () => dump(sql, { path: partial, clock: systemClock }));
  await rename(partial, file);
  await using folder = await open(dirname(file));
  await folder.sync();
  return dumped;
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

const report = ({ file }: Target, { header, bytes }: DumpResult) =>
  `${file} has ${header.tables.length} tables as they were at ${header.created_at}, in ${bytes} ` +
  `bytes. It can be restored only with the secret key with the fingerprint ${header.fingerprint}, ` +
  'which it does not contain.\n';
