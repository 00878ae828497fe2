import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');

/** The dashboard as it is now: built if it was not. Answers the folder. */
export async function built(): Promise<string> {
  await promisify(execFile)(process.execPath, [join(root, 'bin', 'build-dashboard.ts')]);
  return join(root, 'dist', 'dashboard');
}
