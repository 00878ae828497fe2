// Backups with the operator's command: made while events come in, restored beside a running server.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Sql } from '../../src/storage/database/database.ts';
import { anyDatabase, databases, testDatabase } from '../database.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { startLoad } from './load.ts';
import {
  createInstallation,
  type Installation,
  killIfThere,
  type ServerProcess,
  type Settings,
} from './server-process.ts';
import { mountDisk } from './small-disk.ts';

async function ended(installation: Installation, words: string, changes: Settings = {}) {
  const program = installation.launch(changes, ...words.split(' '));
  return { code: await program.ended, output: program.output() };
}

async function hookOf(server: ServerProcess): Promise<string> {
  const [integration] = await server.api.list('integrations');
  return `${new URL(integration.webhook_url).pathname}push-events`;
}

const titlesOf = async (server: ServerProcess): Promise<string[]> =>
  (await server.api.list('incidents')).map(({ title }) => title).sort();

/** Two incidents whose pages have left. */
async function seedIncidents(server: ServerProcess): Promise<string> {
  const hook = await hookOf(server);
  for (const title of ['disk', 'memory']) {
    const { status } = await postJson(`${server.url}${hook}`, { title, dedup_key: title });
    assert.equal(status, 202);
  }
  await paged(server, 2);
  return hook;
}

const paged = (server: ServerProcess, count: number) =>
  eventually(`${count} incidents are paged for`, async () => {
    const incidents = await server.api.list('incidents');
    const timelines = await Promise.all(
      incidents.map(({ id }) => server.api.list(`incidents/${id}/timeline`)),
    );
    const notified = timelines.filter((all) => all.some(({ type }) => type === 'notice_sent'));
    return notified.length >= count;
  });

const isBack = ({ url }: ServerProcess) =>
  eventually('the server is back', () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );

/** Once none of them takes an event. */
const haveLetGo = (servers: readonly ServerProcess[]) =>
  eventually('all servers answer 503', async () => {
    const answers = await Promise.all(servers.map(({ url }) => fetch(`${url}/readyz`)));
    return answers.every(({ status }) => status === 503);
  });

for (const on of await databases()) {
  test(`beside a running server, ${on.name}: back to what was, and pages go on`, async () => {
    await using database = await testDatabase({ server: on, migrations: 'none' });
    await using installation = await createInstallation({ PAGER_DATABASE_URL: database.url });
    const server = await installation.start();
    const hook = await seedIncidents(server);
    const file = join(installation.dataDir, 'backup');
    const before = await titlesOf(server);
    const backup = await ended(installation, `backup ${file}`);
    assert.equal(backup.code, 0, backup.output);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const twice = await ended(installation, `backup ${file}`);
    assert.deepEqual([twice.code, /already exists/.test(twice.output)], [1, true]);

    const { urls, apiKey } = { urls: [server.url], apiKey: server.apiKey };
    {
      await using load = startLoad({ urls, apiKey, hooks: [hook] });
      await load.more(5);
      const during = await ended(installation, `backup ${file}.during`);
      assert.equal(during.code, 0, during.output);
      await load.more(5);
      const unsure = await ended(installation, `restore ${file}`);
      assert.equal(unsure.code, 1);
      assert.match(unsure.output, /has \d+ incidents, \d+ of them from after .* add --yes/);
      await load.more(5);
    }
    const restore = installation.launch({}, 'restore', file, '--yes');
    const refused = await eventually('an event is refused for now', async () => {
      const url = `${server.url}${hook}`;
      const answer = await fetch(url, { method: 'POST', body: '{}' }).catch(() => null);
      return answer?.status === 503 && answer.headers.has('retry-after') && answer.text();
    });
    assert.match(refused, /"error":"restoring"/);
    assert.equal(await restore.ended, 0, restore.output());
    await isBack(server);
    assert.deepEqual(await titlesOf(server), before);
    const sent = await postJson(`${server.url}${hook}`, { title: 'again', dedup_key: 'again' });
    assert.equal(sent.status, 202);
    await paged(server, 3);
    const audit = await installation.audit();
    assert.equal(audit.code, 0, audit.output);

    const whileLoaded = await ended(installation, `restore ${file}.during --yes`);
    assert.equal(whileLoaded.code, 0, whileLoaded.output);
    const sound = await installation.audit();
    assert.equal(sound.code, 0, sound.output);
    assert.equal(await server.stop(), 0, server.output());
  });
}

test('onto a full disk there is no backup, nor anything left of one', async (t) => {
  await using disk = await mountDisk(2);
  if (disk === null) return t.skip('a full disk: only where root may mount a small one');
  await using database = await testDatabase({ server: await anyDatabase(), migrations: 'none' });
  await using installation = await createInstallation({ PAGER_DATABASE_URL: database.url });
  const server = await installation.start();
  await seedIncidents(server);
  await fillTable(database.sql);
  const file = join(disk.path, 'backup');
  const early = join(disk.path, 'early');
  for (const isFullFromStart of [false, true]) {
    if (isFullFromStart) await disk.fill();
    const { code, output } = await ended(installation, `backup ${isFullFromStart ? early : file}`);
    assert.deepEqual(
      [code, /No backup was made: the disk is full$/m.test(output)],
      [1, true],
      output,
    );
    assert.deepEqual(await readdir(disk.path), isFullFromStart ? ['filler'] : []);
    const sessions = await database.sql`
      select from pg_stat_activity
      where datname = current_database() and application_name = 'pager backup'`;
    assert.equal(sessions.length, 0);
  }
  assert.equal(await server.stop(), 0, server.output());
});

/** With more than the disk has, and nothing that compression makes smaller. */
async function fillTable(sql: Sql): Promise<void> {
  await sql`
    insert into installation (key, value)
    select 'noise ' || n, (select string_agg(md5(random()::text || n || m), '')
      from generate_series(1, 1000) m)
    from generate_series(1, 400) n`;
}

test('backup and restore name the database, and take no other than that of the server', async () => {
  await using database = await testDatabase({ server: await anyDatabase(), migrations: 'none' });
  await using installation = await createInstallation();
  const { dataDir } = installation;
  const url = new URL(database.url);
  url.searchParams.set('application_name', 'a&b');
  const environment = join(dataDir, 'pager.env');
  await writeFile(environment, `PAGER_DATABASE_URL='${url}'\n`);
  const name = `the database ${url.pathname.slice(1)} at ${url.searchParams.get('host') ?? url.host}`;
  const own = { PAGER_DATABASE_URL: `${url}` };
  const server = await installation.start(own);
  await seedIncidents(server);
  const file = join(dataDir, 'backup');

  const backup = await ended(installation, `--env-file ${environment} backup ${file}`);
  assert.equal(backup.code, 0, backup.output);
  assert.ok(backup.output.startsWith(`Backing up ${name}.\n`), backup.output);
  for (const words of [`restore ${file} --yes`, `backup ${file}2`, 'audit', 'migrate']) {
    const { code, output } = await ended(installation, words);
    assert.notEqual(code, 0, words);
    assert.ok(output.includes(`uses ${name}, but PAGER_DATABASE_URL is not set`), output);
  }
  assert.equal(existsSync(join(dataDir, 'postgres')), false);
  const restore = await ended(installation, `restore ${file} --yes --env-file=${environment}`);
  assert.equal(restore.code, 0, restore.output);
  assert.ok(restore.output.includes(` goes into ${name}.\n`), restore.output);
  assert.ok(restore.output.includes(`Restored: ${name} is as it was at `), restore.output);
  await isBack(server);
  assert.equal(await server.stop(), 0, server.output());

  await rm(join(dataDir, 'database-elsewhere'));
  const unset = await ended(installation, `restore ${file}`, { PAGER_DATABASE_URL: '' });
  assert.equal(unset.code, 1);
  assert.match(unset.output, /PAGER_DATABASE_URL is set but empty/);
  assert.equal(existsSync(join(dataDir, 'postgres')), false);
});

test('what is not whole, or of another key, is refused, and nothing changes', async () => {
  await using database = await testDatabase({
    server: (await databases())[0] ?? assert.fail(),
    migrations: 'none',
  });
  await using installation = await createInstallation({ PAGER_DATABASE_URL: database.url });
  const server = await installation.start();
  await seedIncidents(server);
  const file = join(installation.dataDir, 'backup');
  assert.equal((await ended(installation, `backup ${file}`)).code, 0);
  const before = await titlesOf(server);
  const whole = await readFile(file);

  await truncate(file, whole.length - 1);
  const short = await ended(installation, `restore ${file} --yes`);
  assert.deepEqual([short.code, /damaged, or cut off/.test(short.output)], [1, true]);
  const flipped = Buffer.from(whole);
  flipped.writeUInt8(whole.readUInt8(whole.length - 100) ^ 1, whole.length - 100);
  await writeFile(file, flipped);
  const changed = await ended(installation, `restore ${file} --yes`);
  assert.deepEqual([changed.code, /damaged, or cut off/.test(changed.output)], [1, true]);
  await writeFile(file, whole);
  const other = await ended(installation, `restore ${file} --yes`, {
    PAGER_SECRET_KEY: 'another'.repeat(8),
  });
  assert.deepEqual([other.code, /belongs to the secret key with/.test(other.output)], [1, true]);
  assert.deepEqual(await titlesOf(server), before);
  assert.equal(await server.stop(), 0);
});

test('two servers: a restore that is killed in the middle changes nothing, and the next one all', async () => {
  await using database = await testDatabase({ server: await anyDatabase(), migrations: 'none' });
  const { sql, url } = database;
  const settings = { PAGER_DATABASE_URL: url, PAGER_SECRET_KEY: 'k'.repeat(40) };
  await using installation = await createInstallation(settings);
  await using other = await createInstallation(settings);
  const server = await installation.start();
  const servers = [server, await other.start()];
  const hook = await seedIncidents(server);
  const file = join(installation.dataDir, 'backup');
  const atBackup = await titlesOf(server);
  assert.equal((await ended(installation, `backup ${file}`)).code, 0);
  assert.equal((await postJson(`${server.url}${hook}`, { title: 'later' })).status, 202);
  await paged(server, 3);
  const before = await titlesOf(server);

  {
    await using held = await holdSequence(sql);
    const killed = installation.launch({}, 'restore', file, '--yes');
    await eventually('all rows are replaced', held.isAwaited);
    await haveLetGo(servers);
    killIfThere(killed.pid, 'SIGKILL');
    assert.equal(await killed.ended, 'SIGKILL');
  }
  for (const each of servers) await isBack(each);
  assert.deepEqual(await titlesOf(server), before);
  const audit = await installation.audit();
  assert.equal(audit.code, 0, audit.output);

  const again = await ended(installation, `restore ${file} --yes`);
  assert.equal(again.code, 0, again.output);
  for (const each of servers) await isBack(each);
  assert.deepEqual(await titlesOf(server), atBackup);
  for (const [index, each] of servers.entries()) {
    const title = `again ${index}`;
    assert.equal((await postJson(`${each.url}${hook}`, { title })).status, 202);
  }
  await paged(server, 4);
  for (const each of servers) assert.equal(await each.stop(), 0, each.output());
});

/**
 * Used in a transaction that does not end: other users of the sequence go on, and a restore, which
 * sets it after all rows were replaced, waits.
 */
async function holdSequence(sql: Sql) {
  const connection = await sql.reserve();
  await connection`begin`;
  await connection`select nextval(format('%I', sequencename)::regclass) from pg_sequences limit 1`;
  return {
    async isAwaited() {
      const waiting = await sql`
        select from pg_stat_activity
        where datname = current_database() and application_name = 'pager restore'
          and wait_event_type = 'Lock' and query like 'alter sequence%'`;
      return waiting.length > 0;
    },
    async [Symbol.asyncDispose]() {
      await connection`rollback`;
      connection.release();
    },
  };
}

test('the bundled database: backed up and restored running, made anew beside a kept key', async () => {
  await using installation = await createInstallation();
  const { dataDir } = installation;
  const server = await installation.start();
  const hook = await seedIncidents(server);
  const before = await titlesOf(server);
  const file = join(dataDir, 'backup');
  const running = await ended(installation, `backup ${file}`);
  assert.equal(running.code, 0, running.output);
  const later = await postJson(`${server.url}${hook}`, { title: 'later' });
  assert.equal(later.status, 202);
  const beside = await ended(installation, `restore ${file} --yes`);
  assert.equal(beside.code, 0, beside.output);
  await isBack(server);
  assert.deepEqual(await titlesOf(server), before);
  assert.equal((await postJson(`${server.url}${hook}`, { title: 'again' })).status, 202);
  await paged(server, 3);
  const whole = await ended(installation, `restore ${file} --yes`);
  assert.equal(whole.code, 0, whole.output);
  await isBack(server);
  assert.equal(await server.stop(), 0);
  const stopped = await ended(installation, `backup ${file} --force`);
  assert.equal(stopped.code, 0, stopped.output);

  await rename(join(dataDir, 'postgres'), join(dataDir, 'aside'));
  const restore = await ended(installation, `restore ${file}`);
  assert.equal(restore.code, 0, restore.output);
  const again = await installation.start();
  assert.deepEqual(await titlesOf(again), before);
  const audit = await installation.audit();
  assert.equal(audit.code, 0, audit.output);
  assert.equal(await again.stop(), 0);

  // As it is when the restore is killed.
  await writeFile(join(dataDir, 'restore-unfinished'), '');
  const refused = installation.launch();
  assert.equal(await refused.ended, 1);
  assert.match(refused.output(), /Run pagerctl restore again/);
  const once = await ended(installation, `restore ${file} --yes`);
  assert.equal(once.code, 0, once.output);
  const last = await installation.start();
  assert.deepEqual(await titlesOf(last), before);
  assert.equal(await last.stop(), 0);
});
