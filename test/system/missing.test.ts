// A part of an installation is missing, and what would be made in its place would hide that.
import assert from 'node:assert/strict';
import { access, mkdtemp, readdir, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { testDatabase } from '../database.ts';
import { createInstallation, type Installation } from './server-process.ts';
import { systemPostgres } from './system-postgres.ts';

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

async function refusalOf(installation: Installation, command = 'serve'): Promise<string> {
  const program = installation.launch({}, ...command.split(' '));
  assert.notEqual(await program.ended, 0);
  return program.output();
}

test('without its secret key, or its database, a server refuses and makes no other', async () => {
  await using installation = await createInstallation();
  const { dataDir } = installation;
  const server = await installation.start();
  const first = await server.api.list('integrations');
  await server.stop();

  const aside = join(dataDir, 'aside');
  for (const { name, text } of [
    {
      name: 'secret-key',
      text: /belongs to the secret key with the fingerprint \w+, which is not in/,
    },
    { name: 'postgres', text: /belongs to a database that is missing/ },
  ]) {
    const part = join(dataDir, name);
    await rename(part, aside);
    assert.match(await refusalOf(installation), text);
    for (const command of ['migrate', 'audit', 'rotate-secret-key'])
      if (name === 'postgres') assert.match(await refusalOf(installation, command), text);
    assert.equal(await exists(part), false, 'nothing was put in its place');
    await rename(aside, part);
  }

  const again = await installation.start();
  assert.deepEqual(await again.api.list('integrations'), first);
  await again.stop();
});

test('a command that looks into a database makes none', async () => {
  await using installation = await createInstallation();
  for (const command of ['audit', 'rotate-secret-key', 'reset-password owner@example.test'])
    assert.match(await refusalOf(installation, command), /there is no database in /);
  assert.deepEqual(await readdir(installation.dataDir), []);
});

test('where nothing can be lost, what is missing is made', async () => {
  await using database = await testDatabase({
    server: await systemPostgres(),
    migrations: 'none',
  });
  const dataDir = await mkdtemp(join(tmpdir(), 'pager-system-'));
  await using installation = await createInstallation({
    PAGER_DATA_DIR: dataDir,
    PAGER_DATABASE_URL: database.url,
  });
  assert.equal(await installation.launch({}, 'migrate').ended, 0);
  assert.equal(await exists(join(dataDir, 'secret-key')), false);
  const server = await installation.start();
  assert.equal(await exists(join(dataDir, 'secret-key')), true);
  await server.stop();
  const again = await installation.start();
  assert.equal(await again.stop(), 0, 'a key without the bundled database');
});
