// `pagerctl migrate`: the schema of this version, and nothing else.
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { databaseUrl } from '../database-url.ts';
import { systemClock } from '../engine/clock.ts';
import { createLog } from '../log.ts';
import { openDatabase } from '../storage/database.ts';
import { migrate } from '../storage/migrate.ts';

export async function migrateCommand(_args: readonly string[], config: Config): Promise<0 | 1> {
  const log = createLog(config);
  try {
    await using stack = new AsyncDisposableStack();
    await mkdir(config.dataDir, { recursive: true });
    const url = await databaseUrl({ config, log }, stack);
    const { sql } = stack.use(await openDatabase({ url, log }));
    const folder = fileURLToPath(new URL('../../migrations/', import.meta.url));
    const ran = await migrate({ sql, folder, clock: systemClock, log });
    log.info({ ran }, 'the schema is up to date');
  } catch (error) {
    log.fatal({ err: error }, 'the schema cannot be brought up to date');
    return 1;
  }
  return 0;
}
