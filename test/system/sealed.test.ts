// What is sealed in a real database: in its place, and nowhere that is not declared.
import assert from 'node:assert/strict';
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { isSealed } from '../../src/resources/declaration/field.ts';
import { records } from '../../src/resources/index.ts';
import { type Sql, transact } from '../../src/storage/database/database.ts';
import { type Change, changeAll } from '../../src/storage/sealed/change-sealed.ts';
import { sealedColumns } from '../../src/storage/sealed/sealed-columns.ts';
import { createSealer } from '../../src/storage/sealed/secrets.ts';
import { testDatabase } from '../database.ts';
import { freePort } from './free-port.ts';
import { seedSealed, startNoticeServers } from './sealed-records.ts';
import { createInstallation } from './server-process.ts';
import { systemPostgres } from './system-postgres.ts';

const postgres = await systemPostgres();
const secretKey = randomBytes(32).toString('hex');

test('what an older version sealed is bound to its place at the start, and all of it works', async () => {
  await using database = await testDatabase({ server: postgres });
  await using world = await startNoticeServers();
  await using installation = await createInstallation({
    ...world.settings,
    PAGER_DATABASE_URL: database.url,
    PAGER_SECRET_KEY: secretKey,
  });
  const { sql } = database;
  // As a version had it that kept nothing else of its key.
  await sql`
    insert into installation (key, value)
    values ('secret_key_fingerprint', ${createSealer(secretKey).fingerprint})`;
  const server = await installation.start();
  const things = await seedSealed(server, { ...world, settings: installation.settings });
  assert.deepEqual(await placesOf(sql, 'v2:'), declared, 'what is sealed is declared');
  await server.stop();

  await unbind(sql);
  assert.deepEqual(await placesOf(sql, 'v1:'), declared);
  const elsewhere = {
    PAGER_LISTEN: `127.0.0.1:${await freePort()}`,
    PAGER_EMAIL_LISTEN: `127.0.0.1:${await freePort()}`,
  };
  const [again, other] = await Promise.all([installation.start(), installation.start(elsewhere)]);
  assert.deepEqual(await placesOf(sql, 'v1:'), []);
  await other.stop();
  await things.works(again);
  const { code, output } = await installation.audit();
  assert.equal(code, 0, output);
});

test('what is copied to another row does not open there', async () => {
  await using database = await testDatabase({ server: postgres, migrations: 'none' });
  await using installation = await createInstallation({ PAGER_DATABASE_URL: database.url });
  const { api } = await installation.start();
  const make = (name: string) =>
    api.create('outbound-webhooks', { name, url: `https://${name}.test`, method: 'POST' });
  const [one, other] = [await make('one'), await make('other')];
  await database.sql`
    update outbound_webhooks w set url = o.url from outbound_webhooks o
    where w.id = ${one.id} and o.id = ${other.id}`;
  assert.equal((await api.send(`GET /outbound-webhooks/${one.id}`)).status, 500);
  assert.equal(
    (await api.send(`GET /outbound-webhooks/${other.id}`)).body.url,
    'https://other.test',
  );
});

test('every column that is named as encrypted, or declared as sensitive, is declared as sealed', async () => {
  await using database = await testDatabase({ server: postgres });
  const named = await database.sql<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and column_name like '%encrypted'`;
  const sensitive = records.flatMap(({ table, fields }) =>
    Object.entries(fields)
      .filter(([, schema]) => JSON.stringify(schema).includes('"x-sensitive":true'))
      .map(([name]) => `${table}.${name}`),
  );
  const missing = [...named.map(({ name }) => name), ...sensitive].filter(
    (name) => !declared.includes(name),
  );
  assert.deepEqual(missing, []);
});

const declared = sealedColumns.map(({ table, column }) => `${table}.${column}`).sort();

/** The columns, of all that there are, that have something in it that is sealed in this form. */
async function placesOf(sql: Sql, form: string): Promise<readonly string[]> {
  const columns = await sql<{ table: string; column: string }[]>`
    select c.table_name as table, c.column_name as column from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
      and c.table_name <> 'installation' and c.data_type in ('text', 'json', 'jsonb')`;
  const matches = columns.map(async ({ table, column }) => {
    const rows = await sql`
      select from ${sql(table)} where ${sql(column)}::text ~ ${`${form}[A-Za-z0-9+/]{37}`} limit 1`;
    return rows.length > 0 ? [`${table}.${column}`] : [];
  });
  return (await Promise.all(matches)).flat().sort();
}

/** All as the version before had it. */
async function unbind(sql: Sql): Promise<void> {
  const { open } = createSealer(secretKey);
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'pager seal v1', 32));
  for (const sealed of sealedColumns) {
    const change: Change = {
      mark: 'v2:',
      change(stored, context) {
        if (!isSealed(stored)) return stored;
        const text = sealUnbound(key, open(stored.sealed, context));
        return sealed.mapValue ? text : { sealed: text };
      },
    };
    await changeAll(sealed, change, (batch) => transact(sql, batch));
  }
  // No such version had a key for pushes: that it is made is not what is tested here.
  await sql`
    delete from installation
    where key not in ('secret_key_fingerprint', 'chains_began_at', 'vapid_key')`;
}

function sealUnbound(key: Buffer, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `v1:${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')}`;
}
