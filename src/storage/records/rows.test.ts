import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { namedRows } from './rows.ts';

test('a column of a later release takes its default from an insert that does not know it', async () => {
  await using database = await testDatabase({ server: await anyDatabase(), migrations: 'none' });
  const { sql } = database;
  await sql`create table things (id int, "order" text, later int not null default 7)`;
  const rows = [{ id: 1 }, { id: 2, order: 'x' }];
  await sql`insert into things ${namedRows(sql, 'things', rows)} on conflict do nothing`;
  assert.deepEqual(
    [...(await sql`select * from things order by id`)],
    [
      { id: 1, order: null, later: 7 },
      { id: 2, order: 'x', later: 7 },
    ],
  );
});
