// The database's clock, which decides for all servers, what their own clocks are ahead of it, and when
// it jumped.
import { type Machine, thisMachine } from '../../engine/clock.ts';
import type { ServerClock } from '../../engine/clock-differences.ts';
import type { Reading } from '../../engine/database-clock.ts';
import type { NotedClock, OpenIncidents, RecordedJump } from '../../engine/ports/clocks.ts';
import type { IncidentKey } from '../../engine/ports/incidents.ts';
import type { Jump } from '../../incidents/clock-jump.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { columns, type IncidentRow, readable } from '../ledger/incident-rows.ts';
import { columnList } from './columns.ts';
import type { Queries, Transaction } from './database.ts';

/** A server that noted nothing for so long has stopped. */
const RUNNING = { seconds: 30 } as const;
const RETAINED = { hours: 24 * 90 } as const;
const SHOWN = { hours: 24 } as const;

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

/** Of the servers that run. */
export const readServerClocks = (
  sql: Queries,
  now: Temporal.Instant,
): Promise<readonly ServerClock[]> =>
  sql<ServerClock[]>`
    select host, ahead_ms from server_clocks
    where read_at between ${now.subtract(RUNNING)} and ${now.add(RUNNING)}
    order by host, read_at`;

/** Of all that have run lately. */
export const readNotedClocks = (sql: Queries): Promise<readonly NotedClock[]> =>
  sql<NotedClock[]>`
    select id, host, boot, booted_at, ahead_ms, read_at from server_clocks order by id`;

/** Any number will do that nothing else in the database locks. */
const CLOCK_LOCK = 7_243_770_067;

/** Whoever moves what waits is alone: all others write by the same clock, before it or after. */
export async function lockNotedClocks({ sql }: LedgerContext): Promise<readonly NotedClock[]> {
  await sql`select pg_advisory_xact_lock(${CLOCK_LOCK})`;
  return sql<NotedClock[]>`
    select id, host, boot, booted_at, ahead_ms, read_at from server_clocks order by id for update`;
}

/**
 * The last jump; the next one waits for the end of the transaction. Nobody waits for the answer until
 * then.
 */
export async function lockJumps(sql: Transaction): Promise<number> {
  // At once, so that it comes first: what is read after it is what the last one left.
  const locked = sql`select pg_advisory_xact_lock_shared(${CLOCK_LOCK})`.execute();
  const [, last] = await Promise.all([locked, readLastJump(sql)]);
  return last;
}

/** 0: there was none. */
export async function readLastJump(sql: Queries): Promise<number> {
  const [row] = await sql<{ last: number }[]>`
    select coalesce(max(id), 0) as last from clock_jumps`;
  return row?.last ?? 0;
}

/** Those of servers that stopped long ago are removed. A note that is lost in a crash is made again. */
export async function noteClock({ sql }: LedgerContext, noted: NotedClock): Promise<void> {
  const { id, host, boot, booted_at, ahead_ms, read_at } = noted;
  await sql`
    with stopped as (
      delete from server_clocks where read_at < ${read_at.subtract(RETAINED)} and id <> ${id}
    )
    insert into server_clocks (id, host, boot, booted_at, ahead_ms, read_at)
    values (${id}, ${host}, ${boot}, ${booted_at}, ${ahead_ms}, ${read_at})
    on conflict (id) do update
      set host = excluded.host, boot = excluded.boot, booted_at = excluded.booted_at,
        ahead_ms = excluded.ahead_ms, read_at = excluded.read_at`;
}

export async function lockOpenIncidents(
  context: LedgerContext,
  after: IncidentKey | null,
  limit: number,
): Promise<OpenIncidents> {
  const { sql } = context;
  const { organization_id, id } = after ?? { organization_id: '', id: '' };
  const rows = await sql<IncidentRow[]>`
    select ${columnList(sql, columns)} from incidents
    where (organization_id, id) > (${organization_id}, ${id}) and status <> 'resolved'
    order by organization_id, id limit ${limit} for update`;
  const last = rows.at(-1);
  return {
    incidents: await readable(context, rows),
    last: last ? { organization_id: last.organization_id, id: last.id } : null,
  };
}

/**
 * What incidents do not wait for themselves: notices that are due or tried again, what is leased or
 * paced, and when servers were there.
 */
export async function recordJump(
  { sql }: LedgerContext,
  { ms, mayBeTime, isStop, incidents, boot }: RecordedJump,
  now: Temporal.Instant,
): Promise<void> {
  const by = sql`${ms}::bigint * interval '1 millisecond'`;
  if (!mayBeTime) {
    await sql`update outbox set wake_at = wake_at + ${by} where state = 'pending'`;
    await sql`update posted set wake_at = wake_at + ${by}, lease_until = lease_until + ${by}`;
    await sql`
      update connection_lanes
      set free_at = free_at + ${by}, held_until = held_until + ${by}, used_since = used_since + ${by}`;
    await sql`update busy_telephones set busy_until = busy_until + ${by}`;
    await sql`update channel_listeners set lease_until = lease_until + ${by}`;
    await sql`update connection_checks set check_at = check_at + ${by}`;
    await sql`
      update connection_health set open_until = open_until + ${by}, probe_until = probe_until + ${by}
      where open_until is not null`;
    await sql`update channel_health set open_until = open_until + ${by} where open_until is not null`;
    await sql`update storm_notices set notified_at = notified_at + ${by}`;
  }
  await sql`update presence set last_at = last_at + ${by}`;
  await sql`update deaf_spells set from_at = from_at + ${by}, to_at = to_at + ${by}`;
  await sql`
    update server_clocks set booted_at = booted_at + ${by}, read_at = read_at + ${by}
    where ${!mayBeTime} or boot = ${boot}`;
  if (isStop) return;
  await sql`
    with old as (delete from clock_jumps where at < ${now.subtract(RETAINED)})
    insert into clock_jumps (at, ms, may_be_time, incidents)
    values (${now}, ${ms}, ${mayBeTime}, ${incidents})`;
}

export type ShownJump = Jump & { readonly at: Temporal.Instant; readonly incidents: number };

const RECENT = { minutes: 1 } as const;

/** Of the last minute. */
export async function readRecentJump(
  sql: Queries,
  now: Temporal.Instant,
): Promise<{ readonly ms: number } | undefined> {
  const [row] = await sql<{ ms: number }[]>`
    select ms from clock_jumps where at > ${now.subtract(RECENT)} order by id desc limit 1`;
  return row;
}

/** Of the last day; the last first. */
export const readJumps = (sql: Queries, now: Temporal.Instant): Promise<readonly ShownJump[]> =>
  sql<ShownJump[]>`
    select at, ms, may_be_time as "mayBeTime", incidents from clock_jumps
    where at > ${now.subtract(SHOWN)} order by at desc limit 3`;
