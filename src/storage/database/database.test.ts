import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, test } from 'node:test';
import { databases, testDatabase } from '../../../test/database.ts';
import { silentLog } from '../../engine/log.ts';
import { databaseLimits } from '../../limits/database.ts';
import {
  asUnavailable,
  DatabaseUnavailable,
  errorCode,
  openDatabase,
  type Sql,
  type Transaction,
  transact,
} from './database.ts';

for (const server of await databases('all')) {
  describe(server.name, () => {
    const empty = () => testDatabase({ server, migrations: 'none' });

    test('values come back as they were written', async () => {
      await using database = await empty();
      const { sql } = database;
      const at = Temporal.Instant.from('2026-03-29T01:30:00.123Z');
      const on = Temporal.PlainDate.from('2026-03-29');
      await sql`create table things (at timestamptz, on_day date, n int8, doc jsonb, tags text[])`;
      await sql`insert into things
        values (${at}, ${on}, ${4_000_000_000}, ${sql.json({ a: [1, null] })}, ${['x', 'ü']})`;
      const [row] = await sql`select *, array[at] as all_at, at::text as text from things`;
      assert.ok(row?.['at'] instanceof Temporal.Instant);
      assert.equal(row['at'].toString(), at.toString());
      assert.equal(row['all_at'][0].toString(), at.toString());
      assert.equal(row['text'], '2026-03-29 01:30:00.123+00');
      assert.equal(row['on_day'].toString(), '2026-03-29');
      assert.equal(row['n'], 4_000_000_000);
      assert.deepEqual(row['doc'], { a: [1, null] });
      assert.deepEqual(row['tags'], ['x', 'ü']);
    });

    test('an instant is found by its own value', async () => {
      await using database = await empty();
      const at = Temporal.Instant.from('2026-01-01T00:00:00Z');
      const [row] = await database.sql<{ same: boolean }[]>`
        select ${at}::timestamptz = ${'2026-01-01 01:00+01'}::text::timestamptz as same`;
      assert.equal(row?.same, true);
    });

    test('every session has limits and a name', async () => {
      await using database = await empty();
      const [row] = await database.sql`
        select current_setting('statement_timeout') as statement,
          current_setting('lock_timeout') as lock,
          current_setting('idle_in_transaction_session_timeout') as idle,
          current_setting('application_name') as name`;
      assert.deepEqual({ ...row }, { statement: '30s', lock: '10s', idle: '20s', name: 'pager' });
    });

    test('a transaction in conflict is run again and its work is not lost', async () => {
      await using database = await empty();
      const { sql } = database;
      await sql`create table counters (n int)`;
      await sql`insert into counters values (0)`;
      let runs = 0;
      const meet = meeting(2);
      const increment = () =>
        transact(
          sql,
          async (transaction) => {
            runs += 1;
            await transaction`set transaction isolation level serializable`;
            const [row] = await transaction<{ n: number }[]>`select n from counters`;
            await meet();
            await transaction`update counters set n = ${(row?.n ?? 0) + 1}`;
          },
          () => 0.5,
        );
      await Promise.all([increment(), increment()]);
      assert.equal(runs, 3);
      assert.deepEqual([...(await sql`select n from counters`)], [{ n: 2 }]);
    });

    test('a conflict that never ends is given up after five runs', async () => {
      await using database = await empty();
      let runs = 0;
      const failing = transact(
        database.sql,
        async (transaction) => {
          runs += 1;
          await transaction.unsafe(`do $$ begin raise sqlstate '40P01'; end $$`);
        },
        () => 0,
      );
      await assert.rejects(failing, (error) => errorCode(error) === '40P01');
      assert.equal(runs, 5);
    });

    test('an error of the work itself undoes the transaction and is passed on', async () => {
      await using database = await empty();
      const { sql } = database;
      await sql`create table things (id int)`;
      const failing = transact(sql, async (transaction) => {
        await transaction`insert into things values (1)`;
        throw new RangeError('not today');
      });
      await assert.rejects(failing, RangeError);
      assert.equal((await sql`select * from things`).length, 0);
    });

    test('losing connections is unavailability, and every next query connects again', async () => {
      await using database = await testDatabase({
        server,
        migrations: 'none',
        maxConnections: 1,
      });
      await using other = await openDatabase({ url: database.url, log: silentLog });
      for (const pause of [0, 0, 20, 20]) {
        const losing = transact(database.sql, async (transaction) => {
          await cutConnection(other.sql, transaction);
          await new Promise((done) => setTimeout(done, pause));
          await transaction`select 1`;
        });
        await assert.rejects(losing, DatabaseUnavailable);
        assert.deepEqual([...(await database.sql`select 1 as one`)], [{ one: 1 }]);
      }
    });

    test('a statement goes on when another connection of its pool closes', async () => {
      await using database = await empty();
      const { sql } = database;
      // Longer than a pool waits for its statements when it is closed.
      const seconds = databaseLimits.endTime + 1;
      const slow = sql<{ done: string }[]>`select pg_sleep(${seconds})::text || 'yes' as done`;
      const losing = transact(sql, async (transaction) => {
        await cutConnection(sql, transaction);
        await transaction`select 1`;
      });
      const [outcome] = await Promise.all([slow, assert.rejects(losing, DatabaseUnavailable)]);
      assert.equal(outcome[0]?.done, 'yes');
    });

    test('a subscription outlives the connections of the pool', async () => {
      await using database = await empty();
      const heard = Promise.withResolvers<string>();
      await database.sql.listen('news', heard.resolve);
      const losing = transact(database.sql, async (transaction) => {
        await cutConnection(database.sql, transaction);
        await transaction`select 1`;
      });
      await assert.rejects(losing, DatabaseUnavailable);
      await database.sql.notify('news', 'hello');
      assert.equal(await heard.promise, 'hello');
    });

    test('a database that does not exist is a refusal with its code', async () => {
      const url = new URL(server.url);
      url.pathname = '/there-is-none';
      const opening = openDatabase({ url: url.href, log: silentLog });
      await assert.rejects(opening, (error) => errorCode(error) === '3D000');
    });

    test('a database in another encoding is refused', async () => {
      await using database = await empty();
      const name = `${new URL(database.url).pathname.slice(1)}_latin`;
      await database.sql.unsafe(
        `create database ${name} template template0 encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'
         ${(await isBuiltinLocale(database.sql)) ? 'locale_provider libc' : ''}`,
      );
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      await assert.rejects(openDatabase({ url: url.href, log: silentLog }), /make it with.*UTF8/);
      await database.sql.unsafe(`drop database ${name} with (force)`);
    });
  });
}

test('a server that is not there is unavailable', async () => {
  const url = 'postgres://pager@localhost/pager?host=/there/is/none';
  await assert.rejects(openDatabase({ url, log: silentLog }), DatabaseUnavailable);
  const closed = 'postgres://pager@127.0.0.1:1/pager';
  await assert.rejects(openDatabase({ url: closed, log: silentLog }), DatabaseUnavailable);
});

test('a server that accepts connections and closes them is unavailable', async () => {
  await using closing = createServer((socket) => void socket.destroy());
  await once(closing.listen(0, '127.0.0.1'), 'listening');
  const { port } = closing.address() as AddressInfo;
  const url = `postgres://pager@127.0.0.1:${port}/pager`;
  const opening = openDatabase({ url, log: silentLog, connectSeconds: 0.1 });
  await assert.rejects(opening, /^DatabaseUnavailable: .*: the connection was lost$/);
});

test('an address of another kind is refused with the form it must have', async () => {
  for (const url of ['mysql://localhost/x', 'localhost', '']) {
    await assert.rejects(openDatabase({ url, log: silentLog }), /must look like postgres:/);
  }
});

test('an error that is not about the connection stays itself', () => {
  const missing = Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' });
  assert.equal(asUnavailable(missing), missing);
});

async function cutConnection(sql: Sql, transaction: Transaction) {
  const [row] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await sql`select pg_terminate_backend(${row?.pid ?? 0})`;
}

async function isBuiltinLocale(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ number: number }[]>`
    select current_setting('server_version_num')::int as number`;
  return (row?.number ?? 0) >= 170_000;
}

/** Lets the first callers wait for each other; whoever comes later passes. */
function meeting(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let here = 0;
  return () => {
    here += 1;
    if (here === count) resolve();
    return promise;
  };
}
