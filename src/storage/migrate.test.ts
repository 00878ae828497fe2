import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { databases, testDatabase } from '../../test/database.ts';
import { systemClock } from '../engine/clock.ts';
import { silentLog } from '../engine/log.ts';
import type { Sql } from './database.ts';
import { migrate, SchemaMismatch } from './migrate.ts';

const ONE = { '0001-people.sql': 'create table people (id int); insert into people values (1);' };
const TWO = { ...ONE, '0002-names.sql': 'alter table people add column name text' };

async function folderWith(files: Record<string, string>) {
  const path = await mkdtemp(join(tmpdir(), 'pager-migrations-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

async function migrateTo(sql: Sql, files: Record<string, string>): Promise<string[]> {
  await using folder = await folderWith(files);
  return await migrate({ sql, folder: folder.path, clock: systemClock, log: silentLog });
}

for (const server of await databases()) {
  describe(server.name, () => {
    const empty = () => testDatabase({ server, migrations: 'none', maxConnections: 8 });

    test('migrations run in order, once each', async () => {
      await using database = await empty();
      assert.deepEqual(await migrateTo(database.sql, ONE), ['0001-people.sql']);
      assert.deepEqual(await migrateTo(database.sql, TWO), ['0002-names.sql']);
      assert.deepEqual(await migrateTo(database.sql, TWO), []);
      const rows = await database.sql`select id, name from people`;
      assert.deepEqual([...rows], [{ id: 1, name: null }]);
    });

    test('servers that start together migrate once', async () => {
      await using database = await empty();
      const ran = await Promise.all([1, 2, 3, 4].map(() => migrateTo(database.sql, TWO)));
      assert.deepEqual(ran.flat().sort(), ['0001-people.sql', '0002-names.sql']);
      assert.equal((await database.sql`select * from people`).length, 1);
    });

    test('a migration that fails leaves nothing and names its file and reason', async () => {
      await using database = await empty();
      const broken = { ...ONE, '0002-bad.sql': 'create table half (id int); select nonsense' };
      await assert.rejects(
        migrateTo(database.sql, broken),
        /0002-bad\.sql failed: column "nonsense" does not exist/,
      );
      const [row] = await database.sql`select to_regclass('half') as half`;
      assert.equal(row?.['half'], null);
      assert.deepEqual(await migrateTo(database.sql, TWO), ['0002-names.sql']);
    });

    test('a schema newer than the program is refused', async () => {
      await using database = await empty();
      await migrateTo(database.sql, TWO);
      const refused = migrateTo(database.sql, ONE);
      await assert.rejects(refused, SchemaMismatch);
      await assert.rejects(refused, /newer than this program.*0002-names\.sql/);
    });

    test('a migration that was changed after it had run is refused', async () => {
      await using database = await empty();
      await migrateTo(database.sql, ONE);
      const changed = { '0001-people.sql': 'create table persons (id int)' };
      await assert.rejects(migrateTo(database.sql, changed), /0001-people\.sql was changed after/);
    });

    test('a migration that comes before one that has run is refused', async () => {
      await using database = await empty();
      await migrateTo(database.sql, { '0002-late.sql': 'select 1' });
      const files = { '0001-early.sql': 'select 1', '0002-late.sql': 'select 1' };
      await assert.rejects(migrateTo(database.sql, files), /0001-early\.sql must come before/);
    });

    test('line ends of another system do not change a migration', async () => {
      await using database = await empty();
      await migrateTo(database.sql, { '0001-a.sql': 'select 1;\nselect 2;\n' });
      const again = await migrateTo(database.sql, { '0001-a.sql': 'select 1;\r\nselect 2;\r\n' });
      assert.deepEqual(again, []);
    });

    test('the migrations of the program build the schema', async () => {
      await using database = await testDatabase({ server });
      const rows = await database.sql`select name from pager_migrations`;
      assert.ok(rows.length > 0);
    });

    test('badly named and doubly numbered files are refused before anything runs', async () => {
      await using database = await empty();
      const named = migrateTo(database.sql, { 'people.sql': 'select 1' });
      await assert.rejects(named, /people\.sql must be named like/);
      const twice = { '0001-a.sql': 'select 1', '0001-b.sql': 'select 1' };
      await assert.rejects(migrateTo(database.sql, twice), /0001-b\.sql has the number of another/);
    });
  });
}
