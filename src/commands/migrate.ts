// `pagerctl migrate`: the schema of this version, and nothing else.
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { checkDatabaseIsHere } from '../database-elsewhere.ts';
import { databaseUrl } from '../database-url.ts';
import { systemClock } from '../engine/clock.ts';
import { createLog } from '../log.ts';
import { openDatabase } from '../storage/database/database.ts';
import { migrate } from '../storage/database/migrate.ts';
import { type CommandOutput, unexpectedArgument } from './command.ts';

export const usage = `pagerctl migrate

Settings come from the environment: see docs/operating.md.

Exit code 0: the schema is up to date; 1: it cannot be updated; 2: the arguments are invalid.
`;

export async function migrateCommand(
  args: readonly string[],
  config: Config,
  { writeError }: CommandOutput,
): Promise<0 | 1 | 2> {
  const unexpected = unexpectedArgument(args);
  if (unexpected !== null) {
    writeError(`${unexpected}\n\n${usage}`);
    return 2;
  }
  const log = createLog(config);
  try {
    await checkDatabaseIsHere(config);
    await using stack = new AsyncDisposableStack();
    await mkdir(config.dataDir, { recursive: true });
    const url = await databaseUrl({ config, log }, stack);
    const { sql } = stack.use(await openDatabase({ url, log, isPatient: true }));
    const folder = fileURLToPath(new URL('../../migrations/', import.meta.url));
    const ran = await migrate({ sql, folder, clock: systemClock, log });
    log.info({ ran }, 'the schema is up to date');
  } catch (error) {
    log.fatal({ err: error }, 'the schema cannot be updated');
    return 1;
  }
  return 0;
}
