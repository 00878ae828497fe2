// What Terraform shows where the provider's file cannot be run: the first line that it prints.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);

test('without Node, and with one that is too old, the provider says what to install and where', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pager node '));
  try {
    const program = join(import.meta.dirname, '..', '..', 'bin', 'build-provider.ts');
    await run(process.execPath, [program, folder]);
    const name = (await readdir(folder)).find((each) => each.endsWith('.cjs')) ?? '';
    const file = join(folder, name);
    const printedWith = (PATH: string) =>
      run(file, [], { env: { PATH } }).then(
        ({ stdout }) => stdout,
        ({ stdout }) => String(stdout),
      );
    const help = /Install it from https:\/\/nodejs\.org, and make sure that the PATH of Terraform/;
    const missing = await printedWith(folder);
    assert.match(missing, /^The provider pager needs Node 20 or later .*; there is no node\. /);
    assert.match(missing, help);

    const old = (await readFile(file, 'utf8')).replace('process.versions.node, 10', '"12.0.0", 10');
    await writeFile(file, old);
    await chmod(file, 0o755);
    await symlink(process.execPath, join(folder, 'node'));
    const tooOld = await printedWith(folder);
    assert.match(tooOld, /needs Node 20 or later .*; this is v\d+\S* \(/);
    assert.match(tooOld, help);
  } finally {
    await rm(folder, { recursive: true });
  }
});
