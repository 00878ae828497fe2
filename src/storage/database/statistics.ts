// The planner's statistics, kept up with tables that grow fast: autovacuum looks once a minute, and
// plans that were made while a table was small would read all of it in the first storm.
import type { Sql } from './database.ts';

/** A table is analyzed when it has grown to so many times its size at the last time. */
const growth = 4;
/** Smaller ones are read as fast whole. */
const pagesMin = 8;
const rowsMin = 100;

/**
 * Answers the names of the tables that were analyzed. Nobody waits for it, nor it for anybody.
 * Growth shows in pages at once. Yet pages tell nothing of what a large transaction that was under
 * way the last time has since made visible: its rows were not counted then, although its pages were.
 */
export async function refreshStatistics(sql: Sql): Promise<readonly string[]> {
  const grown = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and (pg_relation_size(oid) / current_setting('block_size')::int
          > ${growth} * greatest(relpages, ${pagesMin})
        or pg_stat_get_live_tuples(oid) > ${growth} * greatest(reltuples, ${rowsMin}))
    order by relname`;
  for (const { name } of grown) await sql`analyze (skip_locked) ${sql(name)}`;
  return grown.map(({ name }) => name);
}
