import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { databases, testDatabase } from '../../../test/database.ts';
import { seedIntegration } from '../../../test/monitoring.ts';
import { seedOrganization } from '../../../test/world.ts';
import { systemClock } from '../../engine/clock.ts';
import { silentLog } from '../../engine/log.ts';
import { readSchedules } from '../oncall/schedules.ts';
import type { Sql } from './database.ts';
import { migrate, SchemaMismatch } from './migrate.ts';

const ONE = { '0001-people.sql': 'create table people (id int); insert into people values (1);' };
const TWO = { ...ONE, '0002-names.sql': 'alter table people add column name text' };

async function folderWith(files: Record<string, string>) {
  const path = await mkdtemp(join(tmpdir(), 'pager-migrations-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

async function filesOfProgram(): Promise<Record<string, string>> {
  const folder = join(import.meta.dirname, '..', '..', '..', 'migrations');
  const texts = (await readdir(folder)).map(async (name) => {
    return [name, await readFile(join(folder, name), 'utf8')] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

async function migrateTo(sql: Sql, files: Record<string, string>, log = silentLog) {
  await using folder = await folderWith(files);
  return await migrate({ sql, folder: folder.path, clock: systemClock, log });
}

for (const server of await databases('all')) {
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

    test('a new database logs one line for all migrations, a known one a line for each', async () => {
      await using database = await empty();
      const lines: unknown[] = [];
      const log = { ...silentLog, info: (fields: object) => void lines.push(fields) };
      await migrateTo(database.sql, TWO, log);
      await migrateTo(database.sql, { ...TWO, '0003-none.sql': 'select 1' }, log);
      assert.deepEqual(lines, [{ migrations: 2 }, { migration: '0003-none.sql' }]);
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

    test('what databases ran of a migration before its release counts as run', async () => {
      await using database = await testDatabase({ server });
      const before = '1565c6de4c949cf70de2fd51da650e0a8ef6d4fb36679e57f0b9bfbc2380afb9';
      await database.sql`
        update pager_migrations set sha256 = ${before} where name like '0026%'`;
      assert.deepEqual(await migrateTo(database.sql, await filesOfProgram()), []);
      await database.sql`update pager_migrations set sha256 = ${before} where name like '0025%'`;
      const refused = migrateTo(database.sql, await filesOfProgram());
      await assert.rejects(refused, /0025-.*was changed after/);
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

    test('the stop for the upgrade begins with the last event of the release before', async () => {
      for (const received of [
        [],
        ['2026-03-02T11:00:00Z', '2026-03-02T12:00:00Z'],
        ['2099-01-01T00:00:00Z'],
      ]) {
        await using database = await empty();
        const { sql } = database;
        const all = await filesOfProgram();
        const old = Object.entries(all).filter(([name]) => name < '0061');
        await migrateTo(sql, Object.fromEntries(old));
        const { organizationId, teams } = await seedOrganization(sql);
        const at = { organizationId, teamId: teams['ops'] ?? '', now: systemClock.now() };
        const { id: integration_id } = await seedIntegration(sql, at, { steps: [] });
        for (const [index, received_at] of received.entries())
          await sql`
            insert into events ${sql({
              organization_id: organizationId,
              id: `${index}`.padEnd(24, '0'),
              integration_id,
              received_at,
              source: 'http',
              path: '/',
              content_type: '',
              body: '',
              body_encoding: 'utf-8',
            })}`;
        await migrateTo(sql, all);
        const [presence] = await sql`select last_at, last_at <= now() as is_past from presence`;
        const last = received.at(-1);
        assert.equal(presence?.['is_past'], last && true);
        if (last && last < '2099') assert.equal(`${presence?.['last_at']}`, last);
      }
    });

    test('schedules from before revisions were kept have one of all their time', async () => {
      await using database = await empty();
      const { sql } = database;
      const all = await filesOfProgram();
      const old = Object.entries(all).filter(([name]) => name < '0005');
      await migrateTo(sql, Object.fromEntries(old));
      const { organizationId, teams } = await seedOrganization(sql);
      const anchor = '[{"id":"a","at":"2026-03-03T00:00:00Z","turn":1}]';
      const layers = '[{"users":["u"],"rotation":{"length":1,"unit":"days"}}]';
      for (const [id, archivedAt] of [['active'], ['archived', '2026-03-05T00:00:00Z']])
        await sql`
          insert into oncall_schedules (organization_id, id, counter, version, team_id, name,
            timezone, layers, anchors, created_at, updated_at, archived_at)
          values (${organizationId}, ${id?.padEnd(24, '0') ?? ''}, ${archivedAt ? 2 : 1}, 1,
            ${teams['ops'] ?? ''}, 'Rota', 'Etc/UTC', ${layers}::text::json,
            ${anchor}::text::json, '2026-03-02T12:00:00.5Z', '2026-03-05T00:00:00Z',
            ${archivedAt ?? null})`;
      await migrateTo(sql, all);
      const known = await readSchedules(sql, {
        organizationId,
        ids: ['active', 'archived'].map((id) => id.padEnd(24, '0')),
        since: Temporal.Instant.from('2026-01-01T00:00:00Z'),
      });
      const [active, archived] = [...known.values()].sort((a, b) => a.counter - b.counter);
      const reported = (one: typeof active) =>
        one?.history.revisions.map(({ edit, from, archived: isOver, layers: [layer] }) =>
          [edit, from, isOver ? 'nobody' : layer?.generated_at].join(' '),
        );
      const begun = '1 2026-03-02T12:00:00.5Z 2026-03-02T12:00:00.5Z';
      assert.deepEqual(reported(active), [begun]);
      assert.deepEqual(reported(archived), [begun, '2 2026-03-05T00:00:00Z nobody']);
      const cursors = await sql`
        select edits, seen_edits, wake_at is null as asleep from shift_cursors
        order by oncall_schedule_id`;
      assert.deepEqual(
        [...cursors],
        [
          { edits: 1, seen_edits: 1, asleep: false },
          { edits: 2, seen_edits: 2, asleep: true },
        ],
      );
    });

    test('timelines and audit logs from before they had an order keep the one of their times', async () => {
      await using database = await empty();
      const { sql } = database;
      const all = await filesOfProgram();
      const old = Object.entries(all).filter(([name]) => name < '0016');
      await migrateTo(sql, Object.fromEntries(old));
      const { organizationId } = await seedOrganization(sql);
      const [early, late, last] = ['a', 'b', 'c'].map((id) => id.padEnd(24, '0'));
      const on = { organization_id: organizationId, incident_id: early };
      const entry = { ...on, type: 'note', says: '' };
      for (const row of [
        { id: early, at: '2026-03-02T12:00:02Z', place: null },
        { id: late, at: '2026-03-02T12:00:01Z', place: null },
        { id: last, at: '2026-03-02T12:00:00Z', place: 1 },
      ])
        await sql`insert into timeline ${sql({ ...entry, ...row })}`;
      const done = { organization_id: organizationId, action: 'update', kind: 'team' };
      const by = { actor: '{}', record_id: early };
      const note = (row: { id: string | undefined; at: string }) =>
        sql`insert into audit_log ${sql({ ...done, ...by, ...row })}`;
      await note({ id: early, at: '2026-03-02T12:00:02Z' });
      await note({ id: late, at: '2026-03-02T12:00:01Z' });
      await migrateTo(sql, all);
      await note({ id: last, at: '2026-03-02T12:00:00Z' });
      assert.deepEqual(
        (await sql`select id, sequence from timeline order by sequence`).map(({ id, sequence }) => [
          id,
          sequence,
        ]),
        [
          [late, -1],
          [early, 0],
          [last, 1],
        ],
      );
      const logged = await sql`select id from audit_log order by sequence`;
      assert.deepEqual(
        logged.map(({ id }) => id),
        [late, early, last],
      );
    });

    test('events are kept in one table, also those of a month that had no partition', async () => {
      await using database = await empty();
      const { sql } = database;
      const all = await filesOfProgram();
      const old = Object.entries(all).filter(([name]) => name < '0017');
      await migrateTo(sql, Object.fromEntries(old));
      await sql`
        create table events_2026_03 partition of events
        for values from ('2026-03-01T00:00:00Z') to ('2026-04-01T00:00:00Z')`;
      for (const [id = '', at = ''] of [
        ['a', '2026-03-02T12:00:00Z'],
        ['b', '2026-11-02T12:00:00Z'],
      ])
        await sql`
          insert into events (organization_id, id, integration_id, received_at, door, path,
            content_type, body, body_encoding)
          values (${id.padEnd(24, '0')}, ${id.padEnd(24, '0')}, ${id.padEnd(24, '0')}, ${at},
            'http', '/', '', ${`body of ${id}`}, 'utf-8')`;
      await migrateTo(sql, all);
      const stored = await sql`select body, times from events order by id`;
      assert.deepEqual(
        [...stored],
        [
          { body: 'body of a', times: 1 },
          { body: 'body of b', times: 1 },
        ],
      );
      const [table] = await sql`select relkind from pg_class where relname = 'events'`;
      assert.equal(table?.['relkind'], 'r');
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
