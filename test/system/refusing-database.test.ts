// The database runs, and refuses the server: its password was changed, its privileges revoked, it is
// a standby now. For whoever sends events that is no other than a database that is away.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '../../src/engine/log.ts';
import { startBundledPostgres } from '../../src/storage/bundled/postgres-server.ts';
import { openDatabase, type Sql } from '../../src/storage/database/database.ts';
import { send } from '../mail-client.ts';
import { eventually } from './eventually.ts';
import { startMailServer } from './notice-servers.ts';
import { createInstallation, mailTo } from './server-process.ts';

type Change = { readonly broken: string; readonly mended: string };

/** By what PostgreSQL answers to it. */
const changes: Readonly<Record<string, Change>> = {
  '28P01': {
    broken: `alter role pager_server password 'another'`,
    mended: `alter role pager_server password '$password'`,
  },
  '28000': {
    broken: 'alter role pager_server nologin',
    mended: 'alter role pager_server login',
  },
  '3D000': {
    broken: 'alter database pager rename to elsewhere',
    mended: 'alter database elsewhere rename to pager',
  },
  '42501': {
    broken: 'revoke all on all tables in schema public from pager_server',
    mended: 'grant all on all tables in schema public to pager_server',
  },
  '42P01': {
    broken: 'alter schema public rename to hidden; create schema public',
    mended: 'drop schema public; alter schema hidden rename to public',
  },
  '55000': {
    broken: 'alter database pager allow_connections false',
    mended: 'alter database pager allow_connections true',
  },
  '25006': {
    broken: 'alter database pager set default_transaction_read_only to on',
    mended: 'alter database pager set default_transaction_read_only to off',
  },
};

test('what refuses the server is answered as a loss, and is one line of the log', async (t) => {
  await using cluster = await startCluster();
  await using mail = await startMailServer();
  await using installation = await createInstallation({
    ...mailTo(mail),
    PAGER_DATABASE_URL: cluster.url,
  });
  const server = await installation.start();
  const [integration] = await server.api.list('integrations');
  const hook = `${server.url}${new URL(integration.webhook_url).pathname}`;
  const token = hook.split('/')[4] ?? '';
  const trigger = (title: string) =>
    fetch(hook, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title }),
    });
  const sendMail = () =>
    send(
      { port: server.mailPort },
      { from: 'a@b.test', to: `${token}@alerts.test`, subject: 'It burns', text: 'It burns' },
    );

  for (const [code, change] of Object.entries(changes))
    await t.test(code, async () => {
      const before = server.output().length;
      {
        await using _broken = await cluster.change(change);
        const refused = await eventually('an event is refused', async () => {
          const answer = await trigger(`while ${code}`);
          return answer.status === 202 ? null : answer;
        });
        assert.equal(refused.status, 503, await refused.text());
        assert.equal(refused.headers.get('retry-after'), '1');
        assert.equal(await sendMail(), 451);
        for (let time = 0; time < 20; time += 1) assert.equal((await trigger('again')).status, 503);
        await eventually('it is not ready', async () => {
          return (await fetch(`${server.url}/readyz`)).status === 503;
        });
      }
      await eventually('events are taken again', async () => {
        return (await trigger(`after ${code}`)).status === 202;
      });
      await mail.arrival('the page', ({ subject }) => subject.includes(`after ${code}`));
      const lines =
        server
          .output()
          .slice(before)
          .match(/^.*"level":50.*$/gm) ?? [];
      const own = lines.filter((line) => line.includes(`"code":"${code}"`));
      assert.equal(own.length, 1, lines.join('\n'));
      // The connections were ended, too, so that all of them are made anew.
      const others = lines.filter((line) => !line.includes('the database is unavailable'));
      assert.deepEqual(others, []);
      assert.ok(lines.length <= 2, lines.join('\n'));
    });
  await eventually('the outage is over in the log, too', () =>
    server.output().includes('the database can be used again'),
  );
  assert.equal(await server.stop(), 0);
});

/** A PostgreSQL of its own, whose superuser changes things; then every other connection ends. */
async function startCluster() {
  const dataDir = await mkdtemp(join(tmpdir(), 'pager-cluster-'));
  const settings = { fsync: 'off' };
  const running = await startBundledPostgres({ dataDir, log: silentLog, settings });
  const password = new URL(running.url).password;
  const inDatabase = async (name: string, work: (sql: Sql) => Promise<unknown>) => {
    const url = new URL(running.superuserUrl);
    url.pathname = `/${name}`;
    await using database = await openDatabase({
      url: url.href,
      log: silentLog,
      maxConnections: 1,
      name: 'superuser',
    });
    await work(database.sql);
  };
  const end = (sql: Sql) => sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where pid <> pg_backend_pid() and application_name like 'pager%'`;
  const run = async (text: string) => {
    const isOfDatabase = text.startsWith('alter database') || text.startsWith('alter role');
    await inDatabase(isOfDatabase ? 'postgres' : 'pager', async (sql) => {
      const statement = text.replace('$password', password);
      // A database that somebody uses cannot be renamed.
      await eventually('it is changed', async () => {
        await end(sql);
        return sql.unsafe(statement).then(
          () => true,
          (error: Error) => !isInUse(error) && Promise.reject(error),
        );
      });
      await end(sql);
    });
  };
  return {
    url: running.url,
    /** Until it is disposed of. */
    async change({ broken, mended }: Change): Promise<AsyncDisposable> {
      await run(broken);
      return { [Symbol.asyncDispose]: () => run(mended) };
    },
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const isInUse = ({ message }: Error) => /accessed by other users/.test(message);
