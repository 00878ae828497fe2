// The program of the release before, as it was.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import released from '../../release/released.json' with { type: 'json' };

type Release = { readonly version: string; readonly commit: string };

export const releases: readonly Release[] = released;
export const before = releases.at(-1);
const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** Why it cannot run; false: it can. */
export const noReleaseBefore =
  before === undefined
    ? 'there is no release before this one'
    : !(await has(before)) && 'this clone lacks the commit of the release before';

function has({ commit }: Release): Promise<boolean> {
  const reading = run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root });
  return reading.then(
    () => true,
    () => false,
  );
}

/** On these packages if they are its own. */
export async function checkOutReleaseBefore(folder: string): Promise<void> {
  assert.ok(before);
  const { commit } = before;
  await run('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', commit, folder], { cwd: root });
  const [own, its] = await Promise.all(
    [root, folder].map((each) => readFile(join(each, 'package-lock.json'), 'utf8')),
  );
  if (own === its) await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  else await run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit'], { cwd: folder });
}
