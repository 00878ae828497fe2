// The planner's statistics, kept up with tables that grow fast: autovacuum looks once a minute, and
// plans that were made while a table was small would read all of it in the first storm.
import type { Sql } from './database.ts';

/** A table is analyzed when it has grown to so many times its size at the last time. */
const growth = 4;
/** Smaller ones are read as fast whole. */
const pagesMin = 8;

/** Answers the names of the tables that were analyzed. Nobody waits for it, nor it for anybody. */
export async function refreshStatistics(sql: Sql): Promise<readonly string[]> {
  const grown = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and pg_relation_size(oid) / current_setting('block_size')::int
        > ${growth} * greatest(relpages, ${pagesMin})
    order by relname`;
  for (const { name } of grown) await sql`analyze (skip_locked) ${sql(name)}`;
  return grown.map(({ name }) => name);
}
