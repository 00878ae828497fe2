// The database's clock, which decides for all servers, and what their own clocks are ahead of it.
import { type Machine, thisMachine } from '../engine/clock.ts';
import type { ServerClock } from '../engine/clock-differences.ts';
import type { Reading } from '../engine/database-clock.ts';
import type { Queries } from './database.ts';

/** A server that noted nothing for so long has stopped. */
const RUNNING = { seconds: 30 } as const;
const RETAINED = { hours: 24 } as const;

export async function readDatabaseClock(sql: Queries, machine: Machine): Promise<Reading> {
  const before = machine.read();
  const [row] = await sql<{ at: Temporal.Instant }[]>`select clock_timestamp() as at`;
  const after = machine.read();
  if (row === undefined) throw new Error('the database does not tell the time');
  return { database: row.at.epochMilliseconds, before, after };
}

/** For commands, whose machine may be another than the server's. */
export async function databaseNow(sql: Queries): Promise<Temporal.Instant> {
  const { database } = await readDatabaseClock(sql, thisMachine);
  return Temporal.Instant.fromEpochMilliseconds(database);
}

type Noted = ServerClock & { readonly id: string; readonly now: Temporal.Instant };

/** Those of servers that stopped long ago are removed. */
export async function noteServerClock(sql: Queries, noted: Noted): Promise<void> {
  const { id, host, ahead_ms, now } = noted;
  await sql`
    with stopped as (
      delete from server_clocks where read_at < ${now.subtract(RETAINED)} and id <> ${id}
    )
    insert into server_clocks (id, host, ahead_ms, read_at)
    values (${id}, ${host}, ${ahead_ms}, ${now})
    on conflict (id) do update
      set host = excluded.host, ahead_ms = excluded.ahead_ms, read_at = excluded.read_at`;
}

/** Of the servers that run. */
export const readServerClocks = (
  sql: Queries,
  now: Temporal.Instant,
): Promise<readonly ServerClock[]> =>
  sql<ServerClock[]>`
    select host, ahead_ms from server_clocks
    where read_at between ${now.subtract(RUNNING)} and ${now.add(RUNNING)}
    order by host, read_at`;
