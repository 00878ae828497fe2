// The launcher of the provider on Linux becomes the executable for the C library that it finds.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { launcherOf } from '../../bin/provider-launcher.ts';

const run = promisify(execFile);

/** A system with these files for loaders, and executables that print their names and arguments. */
async function launcher() {
  const folder = await mkdtemp(join(tmpdir(), 'pager launcher '));
  const loaders = { glibc: join(folder, 'ld-linux.so.2'), musl: join(folder, 'ld-musl.so.1') };
  const file = join(folder, 'launcher');
  const write = (name: string, text: string) =>
    writeFile(join(folder, name), text, { mode: 0o755 });
  await write('launcher', launcherOf({ glibc: `'${loaders.glibc}'`, musl: `'${loaders.musl}'` }));
  for (const name of ['provider-glibc', 'provider-musl'])
    await write(name, `#!/bin/sh\necho ${name} "$@"\n`);
  return {
    ...loaders,
    start: async () => (await run(file, ['--debug'])).stdout.trim(),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

test('with the loader of glibc, the executable for glibc runs', async () => {
  await using at = await launcher();
  await writeFile(at.glibc, '');
  assert.equal(await at.start(), 'provider-glibc --debug');
  await writeFile(at.musl, '');
  assert.equal(await at.start(), 'provider-glibc --debug');
});

test('with the loader of musl alone, the executable for musl runs', async () => {
  await using at = await launcher();
  await writeFile(at.musl, '');
  assert.equal(await at.start(), 'provider-musl --debug');
});

test('what Alpine has in the place of glibc is not taken for it', async () => {
  await using at = await launcher();
  await writeFile(at.musl, '');
  await symlink('libgcompat.so.0', at.glibc);
  assert.equal(await at.start(), 'provider-musl --debug');
});

test('with neither, what is missing is named', async () => {
  await using at = await launcher();
  await assert.rejects(at.start, { code: 1, stderr: /needs glibc or musl: there is neither/ });
});
