// A file in the data directory that tells of a bundled database which was made for a backup and has
// not got it yet: a server would take it for a new installation.
import { access, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileIn = (dataDir: string) => join(dataDir, 'restore-unfinished');

export const beginRestore = (dataDir: string): Promise<void> =>
  writeFile(fileIn(dataDir), '', { mode: 0o600, flush: true });

export const endRestore = (dataDir: string): Promise<void> => rm(fileIn(dataDir), { force: true });

export const isRestoreUnfinished = (dataDir: string): Promise<boolean> =>
  access(fileIn(dataDir)).then(
    () => true,
    () => false,
  );
