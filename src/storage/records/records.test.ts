import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TSchema } from 'typebox';
import { testSecrets } from '../../../test/api.ts';
import { databases, isAnyoneWaiting, testDatabase } from '../../../test/database.ts';
import { seedOrganization } from '../../../test/world.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { records as declared } from '../../resources/index.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { outboundWebhook } from '../../resources/outbound-webhook.ts';
import { service } from '../../resources/service.ts';
import { type Sql, transact } from '../database/database.ts';
import type { Act } from '../organizations/audit.ts';
import { createRecords } from './records.ts';

async function setting(sql: Sql) {
  const { organizationId, teams } = await seedOrganization(sql);
  const act: Act = {
    organizationId,
    teamIds: null,
    actor: { kind: 'key', id: '0'.repeat(24), name: 'ci' },
    requestId: 'request-1',
    now: systemClock.now(),
  };
  const records = createRecords({ sql, secrets: testSecrets, ids: createIds(systemClock) });
  return { records, act, teamId: teams['ops'] ?? '' };
}

const columnType = (schema: TSchema): string => {
  const { type = 'json' } = schema as { type?: string };
  return { string: 'text', integer: 'integer', boolean: 'boolean' }[type] ?? 'json';
};

/** What the table of a record must look like, as information_schema tells it. */
function expectedColumns(resource: Resource): string[] {
  const required: readonly string[] = resource.input.required ?? [];
  const column = (name: string, type: string, isSet: boolean) =>
    `${name} ${type} ${isSet ? 'not null' : 'null'}`;
  return [
    column('organization_id', 'text', true),
    column('id', 'text', true),
    column('counter', 'integer', true),
    column('version', 'integer', true),
    column('team_id', 'text', true),
    ...Object.entries(resource.fields).map(([name, schema]) =>
      column(name, columnType(schema), required.includes(name) || 'default' in schema),
    ),
    ...(resource.name === 'integration'
      ? [
          column('token_encrypted', 'text', true),
          column('token_digest', 'bytea', true),
          column('previous_token_digest', 'bytea', false),
          column('previous_token_expires_at', 'timestamp with time zone', false),
          column('mapping', 'jsonb', false),
          column('mapping_revision', 'integer', true),
          column('former_keys', 'boolean', true),
          column('keys_exchanged_at', 'timestamp with time zone', false),
          column('keys_next_try_at', 'timestamp with time zone', false),
        ]
      : []),
    ...(resource.name === 'oncall_schedule' ? [column('anchors', 'json', true)] : []),
    ...['created_at', 'updated_at'].map((name) => column(name, 'timestamp with time zone', true)),
    column('archived_at', 'timestamp with time zone', false),
    column('managed_by', 'json', false),
  ].sort();
}

for (const server of await databases()) {
  test(`the tables have exactly the declared columns, on ${server.name}`, async () => {
    await using database = await testDatabase({ server });
    for (const resource of declared) {
      const columns = await database.sql<{ declaration: string }[]>`
        select column_name || ' ' || data_type ||
          case is_nullable when 'YES' then ' null' else ' not null' end as declaration
        from information_schema.columns where table_name = ${resource.table}`;
      assert.deepEqual(
        columns.map(({ declaration }) => declaration).sort(),
        expectedColumns(resource),
      );
    }
  });

  test(`many creates at once are numbered without gap or repeat, on ${server.name}`, async () => {
    await using database = await testDatabase({ server });
    const { records, act, teamId } = await setting(database.sql);
    const made = await Promise.all(
      Array.from({ length: 20 }, (_none, index) =>
        records.create(service, act, async () => ({ teamId, fields: { name: `s${index}` } })),
      ),
    );
    const counters = made.map(({ counter }) => counter).sort((one, other) => one - other);
    assert.deepEqual(
      counters,
      counters.map((_counter, index) => index + 1),
    );
  });

  test(`of two writes based on one version one is refused, on ${server.name}`, async () => {
    await using database = await testDatabase({ server });
    const { records, act, teamId } = await setting(database.sql);
    const { id } = await records.create(service, act, async () => ({
      teamId,
      fields: { name: 's' },
    }));
    const write = (name: string) =>
      records.update(service, { key: id, act, expectedVersion: 1 }, async () => ({ name }));
    const results = await Promise.all([write('a'), write('b')]);
    assert.equal(results.filter((result) => result === 'stale_version').length, 1);
  });

  test(`the audit entry of a new schedule is written after all else, on ${server.name}`, async () => {
    await using database = await testDatabase({ server, maxConnections: 4 });
    const { sql } = database;
    const { records, act, teamId } = await setting(sql);
    const create = (resource: Resource, fields: Readonly<Record<string, unknown>>) =>
      records.create(resource, act, async () => ({ teamId, fields }));
    const [schedule] = await transact(sql, async (tx) => {
      await tx`lock table schedule_revisions in exclusive mode`;
      const created = create(oncallSchedule, { name: 'Rota', timezone: 'Etc/UTC', layers: [] });
      while (!(await isAnyoneWaiting(sql))) await tx`select`;
      // Whoever had written an audit entry would hold up every other writer of one.
      await create(service, { name: 'Api' });
      return [created];
    });
    assert.equal((await schedule)?.counter, 1);
    const logged = await sql`select kind from audit_log order by sequence`;
    assert.deepEqual(
      logged.map(({ kind }) => kind),
      ['service', 'oncall_schedule'],
    );
  });

  test(`every write is in the audit log with what was before, secrets masked, on ${server.name}`, async () => {
    await using database = await testDatabase({ server });
    const { records, act, teamId } = await setting(database.sql);
    const fields = { name: 'w', url: 'https://w.test/secret', method: 'GET', content_type: 'json' };
    const { id } = await records.create(outboundWebhook, act, async () => ({ teamId, fields }));
    const change = { key: id, act, expectedVersion: null };
    await records.update(outboundWebhook, change, async () => ({ ...fields, name: 'x' }));
    await records.archive(outboundWebhook, change);
    await records.archive(outboundWebhook, change);
    await records.restore(outboundWebhook, change);
    const rows = await database.sql`
      select action, actor, record_id, before, after, request_id from audit_log
      where record_id = ${id} order by id`;
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['create', 'update', 'archive', 'restore'],
    );
    const shown = { ...fields, url: '•••', team_id: teamId };
    assert.deepEqual(rows[1], {
      action: 'update',
      actor: act.actor,
      record_id: id,
      before: { ...shown, version: 1 },
      after: { ...shown, name: 'x', version: 2 },
      request_id: 'request-1',
    });
    assert.equal(rows[0]?.['before'], null);
  });

  test(`a write that is refused leaves nothing behind, on ${server.name}`, async () => {
    await using database = await testDatabase({ server });
    const { records, act, teamId } = await setting(database.sql);
    await assert.rejects(
      records.create(service, act, async () => {
        throw new Error('refused');
      }),
      /refused/,
    );
    const made = await records.create(service, act, async () => ({
      teamId,
      fields: { name: 's' },
    }));
    assert.equal(made.counter, 1);
    assert.equal((await database.sql`select id from audit_log`).length, 1);
  });
}
