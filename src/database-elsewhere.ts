// A file in the data directory that names the database of its server where that is not the bundled
// one. A command that lacks the setting would work on a bundled database, or even make one.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { databaseText } from './database-text.ts';
import { type Log, messageOf } from './engine/log.ts';

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>;

const fileIn = (dataDir: string) => join(dataDir, 'database-elsewhere');

/** By the server, once it works on the database. Where nothing can be written, nothing is noted. */
export async function noteDatabase(place: Place, log: Log): Promise<void> {
  const file = fileIn(place.dataDir);
  try {
    if (place.databaseUrl === null) await rm(file, { force: true });
    else await writeFile(file, `${databaseText(place)}\n`, { mode: 0o600 });
  } catch (error) {
    log.info({ reason: messageOf(error) }, 'the database in use could not be recorded');
  }
}

/** By commands that have no setting. Throws when the server has one. */
export async function checkDatabaseIsHere({ dataDir, databaseUrl }: Place): Promise<void> {
  if (databaseUrl !== null) return;
  const file = fileIn(dataDir);
  const noted = await readFile(file, 'utf8').catch(() => null);
  if (noted === null) return;
  throw new Error(
    `the server of ${dataDir} uses ${noted.trim()}, but PAGER_DATABASE_URL is not set here. ` +
      'Set it, or pass the file with the server’s settings with --env-file. If the database ' +
      `is now the bundled one, remove ${file}`,
  );
}
