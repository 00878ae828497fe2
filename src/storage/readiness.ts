// Whether the database can be worked with now, by what it answers in a short time.
import { databaseLimits } from '../limits/database.ts';
import { type Sql, within } from './database.ts';
import { asUnavailable, DatabaseUnavailable } from './unavailable.ts';

/** Whether it answers, and is no standby. */
export function takesWrites(sql: Sql): Promise<boolean> {
  return unlessUnavailable(async () => {
    const [row] = await sql<{ takes: boolean }[]>`
      select current_setting('transaction_read_only') = 'off' as takes`;
    return row?.takes === true;
  });
}

/** Whether events can be stored: a full disk answers questions all the same, and so does a role without privileges. */
export function canStore(sql: Sql): Promise<boolean> {
  return unlessUnavailable(async () => {
    await sql.begin(async (transaction) => {
      await transaction`
        create temporary table pager_room on commit drop as select generate_series(1, 10000)`;
      // Nothing is inserted, but the privilege is checked.
      await transaction`insert into events select * from events where false`;
    });
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
