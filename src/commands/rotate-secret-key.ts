// `pagerctl rotate-secret-key`: another secret key, while no server runs.
import { readArguments } from '../arguments.ts';
import type { Config } from '../config.ts';
import { generateKey, hasKey, putNextKey, settledKeyIn, writeNextKey } from '../secret-key.ts';
import { DatabaseUnavailable } from '../storage/database/database.ts';
import { fingerprintOf } from '../storage/sealed/installation.ts';
import { takeKeyLock } from '../storage/sealed/key-lock.ts';
import { type Keys, type RotationResult, rotateSecretKey } from '../storage/sealed/rotate.ts';
import { type CommandOutput, failureOf, openExisting } from './command.ts';

export const usage = `pagerctl rotate-secret-key

Stop all servers first. The new key is PAGER_NEW_SECRET_KEY. If PAGER_SECRET_KEY is not set and the
key is in the data directory, a new key is generated.

Exit code 0: the new key is in use; 1: it is not, and the message says why.
`;

/** So many of what cannot be read are named. */
const named = 20;

/** Answers the exit code. */
export async function rotateCommand(
  args: readonly string[],
  config: Config,
  { write, writeError }: CommandOutput,
): Promise<0 | 1> {
  const read = readArguments(args, { options: {} });
  if (typeof read === 'string') {
    writeError(`${read}\n\n${usage}`);
    return 1;
  }
  try {
    write(report(await rotate(config), config));
    return 0;
  } catch (error) {
    writeError(`${failure(error)}\n`);
    return 1;
  }
}

function failure(error: unknown): string {
  // What was lost may be the answer to the commit.
  if (error instanceof DatabaseUnavailable && error.isOutcomeUnknown)
    return `It is not known which secret key is in use. Start a server to find out: ${error.message}`;
  return `The secret key was not changed: ${failureOf(error)}`;
}

async function rotate(config: Config): Promise<RotationResult> {
  const { dataDir } = config;
  await using stack = new AsyncDisposableStack();
  const sql = await openExisting(config, stack, { name: 'pager rotation', isSingleSession: true });
  await takeKeyLock(sql);
  const keys = await keysOf(config, await fingerprintOf(sql));
  if (config.secretKey !== null) return await rotateSecretKey(sql, keys);
  await writeNextKey(dataDir, keys);
  const rotated = await rotateSecretKey(sql, keys);
  await putNextKey(dataDir);
  return rotated;
}

async function keysOf(config: Config, fingerprint: string | null): Promise<Keys> {
  const { dataDir, secretKey, newSecretKey } = config;
  if (secretKey !== null && newSecretKey === null)
    throw new Error('set PAGER_NEW_SECRET_KEY to the key that replaces PAGER_SECRET_KEY');
  if (secretKey === null && !(await hasKey(dataDir)))
    throw new Error(`there is no secret key: PAGER_SECRET_KEY is not set, and ${dataDir} has none`);
  const from = secretKey ?? (await settledKeyIn(dataDir, fingerprint));
  const to = newSecretKey ?? generateKey();
  if (from === to) throw new Error('the new key is the same as the old one');
  return { from, to };
}

function report({ sealed, unreadable }: RotationResult, { dataDir, secretKey }: Config): string {
  const then =
    secretKey === null
      ? `It is in ${dataDir}; the old key is next to it in secret-key.old, for earlier copies of the database.`
      : 'Set PAGER_SECRET_KEY to it before you start a server, and keep the old key for earlier copies of the database.';
  const lost = unreadable.slice(0, named).map((place) => `  - ${place.join(' ')}`);
  return [
    `The new secret key is in use: ${sealed} values were encrypted with it. ${then}`,
    ...(unreadable.length > 0
      ? [
          `The old key could not decrypt ${unreadable.length} values, which were left unchanged:`,
          ...lost,
        ]
      : []),
    '',
  ].join('\n');
}
