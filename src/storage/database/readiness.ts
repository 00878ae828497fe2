// Whether the database can be worked with now, by what it answers in a short time.
import { databaseLimits } from '../../limits/database.ts';
import { type Sql, within } from './database.ts';
import { asUnavailable, DatabaseUnavailable } from './unavailable.ts';

/** What a page goes through. */
const tables = ['integrations', 'events', 'incidents', 'outbox', 'attempts'];
/** What the owner of a table has, unless somebody takes it away. */
const privileges = ['select', 'insert', 'update', 'delete'];

/** Whether it answers, is no standby, and lets this server read and write. */
export function takesWrites(sql: Sql): Promise<boolean> {
  return unlessUnavailable(async () => {
    const [row] = await sql<{ takes: boolean }[]>`
      select current_setting('transaction_read_only') = 'off'
        and bool_and(has_table_privilege(t, p)) as takes
      from unnest(${tables}::text[]) t, unnest(${privileges}::text[]) p`;
    return row?.takes === true;
  });
}

/** Whether there is room: a full disk answers questions all the same. */
export function canStore(sql: Sql): Promise<boolean> {
  return unlessUnavailable(async () => {
    await sql.begin(
      (transaction) => transaction`
        create temporary table pager_room on commit drop as select generate_series(1, 10000)`,
    );
    return true;
  });
}

async function unlessUnavailable(question: () => Promise<boolean>): Promise<boolean> {
  try {
    return await within(databaseLimits.readyTime, question());
  } catch (error) {
    if (asUnavailable(error) instanceof DatabaseUnavailable) return false;
    throw error;
  }
}
