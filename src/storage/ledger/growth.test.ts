// What the engine asks costs no more when its tables have grown, although its statements were
// planned while there was next to nothing in them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databases, testDatabase } from '../../../test/database.ts';
import { Pager } from '../../../test/stories/story.ts';
import type { Sql } from '../database/database.ts';
import { refreshStatistics } from '../database/statistics.ts';

const rows = 8_000;
/** More than an index that has grown by a level; far less than to read a table, by any index. */
const pagesMax = 300;

/** What changes in each copy `n` of a row, so that it is one of another incident, long over. */
const filled: Readonly<Record<string, string>> = {
  incidents: `'id', n || 'c', 'number', n, 'dedup_key', n, 'status', 'resolved', 'wake_at', null`,
  timeline: `'id', n || 'c', 'incident_id', n || 'c'`,
  timeline_heads: `'incident_id', n || 'c'`,
  outbox: `'key', n, 'incident_id', n || 'c', 'state', 'sent', 'wake_at', null, 'ordering_key', null`,
  attempts: `'key', n`,
  events: `'id', n || 'c'`,
};

/** Every other one in an organisation of its own. */
async function fill(sql: Sql): Promise<void> {
  for (const [table, changes] of Object.entries(filled)) {
    // The pages that vacuum reads are counted as well, and it comes when it likes.
    await sql`alter table ${sql(table)} set (autovacuum_enabled = off)`;
    const { count } = await sql`
      insert into ${sql(table)}
      select made.* from
        (select to_jsonb(one) as was from ${sql(table)} one limit 1) kept,
        (select to_char(i, 'FM00000000000000000000000') as n, i % 2 = 0 as is_strange
          from generate_series(1000001, 1000000 + ${rows}::int) i) numbers,
        lateral jsonb_populate_record(null::${sql(table)},
          kept.was || jsonb_build_object(${sql.unsafe(changes)})
          || case when is_strange then jsonb_build_object('organization_id', n || 'd')
            else '{}'::jsonb end) made`;
    assert.equal(count, rows, table);
  }
}

/** Pages looked at so far of each table and its indexes, in memory or not. */
async function pagesRead(sql: Sql): Promise<ReadonlyMap<string, number>> {
  await sql`select pg_stat_force_next_flush()`;
  const read = await sql<{ name: string; pages: number }[]>`
    select relname as name, coalesce(heap_blks_read + heap_blks_hit, 0)
      + coalesce(idx_blks_read + idx_blks_hit, 0) as pages
    from pg_statio_user_tables`;
  return new Map(read.map(({ name, pages }) => [name, pages]));
}

/** An incident opens and is paged, is counted onto, escalates, and ends. */
async function life(pager: Pager, number: number, hours: readonly [string, string]) {
  const on = await pager.integration({ steps: [pager.step('ada', 5), pager.step('lin')] });
  const before = await pagesRead(pager.sql);
  await pager.trigger(on, { title: 'disk' });
  await pager.work();
  await pager.trigger(on, { title: 'disk' });
  await pager.at(hours[0]);
  await pager.does(number, { type: 'acknowledge' });
  await pager.does(number, { type: 'resolve' });
  await pager.at(hours[1]);
  const after = await pagesRead(pager.sql);
  assert.equal(pager.heard().length, 4);
  return new Map([...after].map(([name, pages]) => [name, pages - (before.get(name) ?? 0)]));
}

for (const server of await databases())
  test(`${server.name}: no statement of a page's way reads more when tables have grown`, async () => {
    await using database = await testDatabase({ server, maxConnections: 1 });
    const pager = new Pager(database.sql);
    await pager.open();
    await life(pager, 1, ['09:05', '09:10']);
    const small = await life(pager, 2, ['09:15', '09:20']);
    await fill(database.sql);
    await refreshStatistics(database.sql);
    const large = await life(pager, 3, ['09:25', '09:30']);
    const more = [...large].map(([name, pages]) => [name, pages - (small.get(name) ?? 0)] as const);
    assert.deepEqual(
      more.filter(([, pages]) => pages > pagesMax),
      [],
    );
  });
