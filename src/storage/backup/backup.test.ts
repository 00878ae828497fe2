import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { databases, testDatabase } from '../../../test/database.ts';
import { seedOrganization } from '../../../test/world.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import { silentLog } from '../../engine/log.ts';
import { type Sql, transact } from '../database/database.ts';
import { migrate, readMigrations } from '../database/migrate.ts';
import { claimInstallation } from '../sealed/installation.ts';
import { dump } from './dump.ts';
import { openBackup, type Rows, UnreadableBackup } from './file.ts';
import { load } from './load.ts';
import { quoted, tablesOf } from './tables.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'migrations');
const clock = systemClock;
const ids = createIds(clock);

async function emptyFolder() {
  const path = await mkdtemp(join(tmpdir(), 'pager-backup-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

/** Everything that is stored, as text. */
async function contentOf(sql: Sql): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const { name } of await tablesOf(sql)) {
    const rows = await sql<{ row: string }[]>`
      select t::text as row from ${sql(name)} t order by t::text collate "C"`;
    content[name] = rows.map(({ row }) => row);
  }
  return content;
}

/** Of what a restore itself writes. */
function withoutNotes({
  installation = [],
  counters,
  audit_log,
  ...rest
}: Record<string, string[]>) {
  const stored = installation.filter((row) => !row.startsWith('(last_restore'));
  return { ...rest, installation: stored };
}

async function restored(sql: Sql, path: string): Promise<void> {
  await using backup = await openBackup(path);
  const known = await readMigrations(folder);
  await transact(sql, (tx) => load(tx, { backup, migrations: known, folder, clock, ids }));
}

async function seedRows(sql: Sql): Promise<void> {
  await claimInstallation(sql, 'k'.repeat(40));
  await seedOrganization(sql, { users: [{ name: 'Ada' }, { name: 'Lin' }] });
}

/** As it is read, but for one table, which breaks off after its first piece. */
async function* failing(
  tables: AsyncGenerator<Rows>,
  failsAt: number,
  error: Error,
): AsyncGenerator<Rows> {
  let index = 0;
  for await (const rows of tables) {
    yield index === failsAt ? brokenOff(rows, error) : rows;
    index += 1;
  }
}

async function* brokenOff(rows: Rows, error: Error): AsyncGenerator<Buffer> {
  for await (const piece of rows) {
    yield piece;
    break;
  }
  throw error;
}

for (const server of await databases('all')) {
  describe(server.name, () => {
    const empty = () => testDatabase({ server, migrations: 'none' });

    test('what was dumped is there again, in an empty database and in place of other rows', async () => {
      await using files = await emptyFolder();
      const path = join(files.path, 'backup');
      await using source = await testDatabase({ server });
      await seedRows(source.sql);
      await source.sql`select nextval('outbox_sequence') from generate_series(1, 41)`;
      const long = 'a\tline\\N\n'.repeat(100_000);
      await source.sql`
        insert into installation (key, value)
        select 'note ' || number, ${long} || number from generate_series(1, 20) as number`;
      const before = await contentOf(source.sql);
      const { header } = await dump(source.sql, { path, clock });
      assert.equal((await stat(path)).mode & 0o777, 0o600);
      assert.equal(header.tables.length, Object.keys(before).length);

      await source.sql`delete from installation where key like 'note%'`;
      await source.sql`update users set first_name = 'Nobody'`;
      await source.sql`select nextval('outbox_sequence')`;
      await using target = await empty();
      for (const { sql } of [source, target]) {
        await restored(sql, path);
        assert.deepEqual(withoutNotes(await contentOf(sql)), withoutNotes(before));
        const [next] = await sql<{ sequence: number }[]>`
          select nextval('outbox_sequence') as sequence`;
        assert.equal(next?.sequence, 42);
        const [entry] = await sql<{ action: string }[]>`select action from audit_log`;
        assert.equal(entry?.action, 'restore');
        // Its triggers work again.
        const [version] = await sql<{ version: number }[]>`
          select version from configuration_versions`;
        await sql`update users set first_name = 'Ada'`;
        const [next_version] = await sql<{ version: number }[]>`
          select version from configuration_versions`;
        assert.ok((next_version?.version ?? 0) > (version?.version ?? 0));
      }
    });

    test('one of an older schema is brought up to date, but not put into a newer one', async () => {
      await using files = await emptyFolder();
      const path = join(files.path, 'backup');
      await using source = await empty();
      const older = join(files.path, 'migrations');
      await cp(folder, older, { recursive: true });
      const names = (await readdir(older)).sort();
      for (const name of names.slice(-2)) await rm(join(older, name));
      await migrate({ sql: source.sql, folder: older, clock, log: silentLog });
      await seedRows(source.sql);
      await dump(source.sql, { path, clock });

      await using target = await empty();
      await restored(target.sql, path);
      const ran = await target.sql<{ name: string }[]>`
        select name from pager_migrations order by name`;
      assert.deepEqual(
        ran.map(({ name }) => name),
        names,
      );
      assert.equal((await target.sql`select from users`).length, 2);
      await assert.rejects(restored(target.sql, path), /newer than the backup's/);

      const newer = join(files.path, 'newer');
      await dump(target.sql, { path: newer, clock });
      await using backup = await openBackup(newer);
      const known = (await readMigrations(folder)).slice(0, -1);
      await assert.rejects(
        transact(source.sql, (tx) => load(tx, { backup, migrations: known, folder, clock, ids })),
        /another schema/,
      );
    });

    test('what fails on the way changes nothing, and says what failed', async () => {
      await using files = await emptyFolder();
      const path = join(files.path, 'backup');
      await using source = await testDatabase({ server });
      await seedRows(source.sql);
      await dump(source.sql, { path, clock });
      const before = await contentOf(source.sql);
      await source.sql`alter table users add constraint nobody check (first_name is null) not valid`;
      await assert.rejects(restored(source.sql, path), /(nobody|refuses rows of users)/);
      assert.deepEqual(await contentOf(source.sql), before);
      await source.sql`alter table users drop constraint nobody`;
      await source.sql`create table ${source.sql('of "others"')} (id integer)`;
      await assert.rejects(restored(source.sql, path), /does not fit .*of "others"/);
      await source.sql.unsafe(`drop table ${quoted('of "others"')}`);
      await restored(source.sql, path);
    });

    test('rows that can no longer be read end a restore, and nothing is changed', async () => {
      await using files = await emptyFolder();
      const path = join(files.path, 'backup');
      await using source = await testDatabase({ server });
      await seedRows(source.sql);
      await dump(source.sql, { path, clock });
      const before = await contentOf(source.sql);
      await using whole = await openBackup(path);
      const known = await readMigrations(folder);
      for (const failsAt of [0, whole.header.tables.findIndex(({ name }) => name === 'users')]) {
        const backup = {
          ...whole,
          read: () => failing(whole.read(), failsAt, new Error('the disk fails')),
        };
        const options = { backup, migrations: known, folder, clock, ids };
        await assert.rejects(
          transact(source.sql, (tx) => load(tx, options)),
          /the disk fails/,
        );
        assert.deepEqual(await contentOf(source.sql), before);
      }
    });

    test('a database that no server has worked on is not dumped', async () => {
      await using files = await emptyFolder();
      await using nothing = await empty();
      const target = { path: join(files.path, 'backup'), clock };
      await assert.rejects(dump(nothing.sql, target), /no server has worked/);
    });

    test('a file that is cut off, changed or something else is not read', async () => {
      await using files = await emptyFolder();
      const path = join(files.path, 'backup');
      await using source = await testDatabase({ server });
      await seedRows(source.sql);
      const { bytes } = await dump(source.sql, { path, clock });
      const whole = await readFile(path);
      assert.equal(whole.length, bytes);
      for (const at of [30, 300, bytes - 40, bytes - 1]) {
        const changed = Buffer.from(whole);
        changed.writeUInt8(whole.readUInt8(at) ^ 1, at);
        await writeFile(path, changed);
        await assert.rejects(openBackup(path), UnreadableBackup, `byte ${at}`);
      }
      for (const length of [bytes - 1, bytes - 33, 300, 20, 0]) {
        await writeFile(path, whole);
        await truncate(path, length);
        await assert.rejects(openBackup(path), UnreadableBackup, `${length} bytes`);
      }
      await writeFile(path, 'pager backup 2\n{}\n');
      await assert.rejects(openBackup(path), /of another version/);
    });
  });
}
