import type { Queries } from '../src/storage/database/database.ts';

/** How many pages of a table and its indexes this transaction has looked at. */
export async function pagesRead(sql: Queries, table: string): Promise<number> {
  const [row] = await sql<{ pages: number }[]>`
    select sum(pg_stat_get_xact_blocks_fetched(oid))::integer as pages from pg_class
    where oid = ${table}::regclass
      or oid in (select indexrelid from pg_index where indrelid = ${table}::regclass)`;
  return row?.pages ?? Number.NaN;
}
