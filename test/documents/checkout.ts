import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const root = join(import.meta.dirname, '..', '..');

/** What a clone would have, with what is not committed yet: no packages, nothing that was built. */
export async function copyCheckout(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const copy = 'git ls-files -z | tar --null --files-from=- -c | tar -x -C "$0"';
  await promisify(execFile)('bash', ['-o', 'pipefail', '-c', copy, folder], { cwd: root });
}
