// Lists of columns in statements. What postgres.js makes of `sql(names)` depends on the words before
// it, for which it searches all of the statement so far, nine times: in a claim, which has ten such
// lists, that took most of the server's time for it.
import type { Queries } from './database.ts';

/** Those of a table, if it is named. */
export const columnList = (sql: Queries, names: readonly string[], table?: string) =>
  sql.unsafe(
    names.map((name) => `${table === undefined ? '' : `"${table}".`}"${name}"`).join(', '),
  );
