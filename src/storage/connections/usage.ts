// What was sent by connections. A transaction adds to one of several rows, by the session it runs in:
// many attempts by one connection, recorded by several servers at once, do not wait for each other.
import type { Counted, CountedCall } from '../../engine/sending/channel.ts';
import type { Queries, Sql } from '../database/database.ts';
import { json } from '../records/rows.ts';

const PARTS = 32;
/** With the current one. */
const retentionMonths = 13;
const removedAtOnce = 1_000;

/** As vendors bill. */
const monthOf = (now: Temporal.Instant): string =>
  now.toZonedDateTimeISO('UTC').toPlainDate().toPlainYearMonth().toString();

const monthBefore = (now: Temporal.Instant, months: number): string =>
  Temporal.PlainYearMonth.from(monthOf(now)).subtract({ months }).toString();

type Addition = {
  readonly organization_id: string;
  readonly connection_id: string;
  readonly channel: string;
  readonly country: string;
  readonly messages: number;
  readonly segments: number;
  readonly call_seconds: number;
};

type TakenAttempt = Counted & {
  readonly organizationId: string;
  readonly key: string;
  readonly attempt: number;
  readonly channel: string;
};

/**
 * Attempts that vendors took, each once. It locks rows: late in a transaction, so that others wait
 * little.
 */
export async function countTaken(
  sql: Queries,
  attempts: readonly TakenAttempt[],
  now: Temporal.Instant,
): Promise<void> {
  if (attempts.length === 0) return;
  const keys = attempts.map(({ organizationId: organization_id, key, attempt: number }) => ({
    organization_id,
    key,
    number,
  }));
  const counted = await sql<{ organization_id: string; key: string; number: number }[]>`
    update attempts a set counted_at = ${now}
    from json_populate_recordset(null::attempts, ${json(sql, keys)}) r
    where a.organization_id = r.organization_id and a.key = r.key and a.number = r.number
      and a.counted_at is null
    returning a.organization_id, a.key, a.number`;
  const names = new Set(counted.map((row) => `${row.organization_id} ${row.key} ${row.number}`));
  const isNew = ({ organizationId, key, attempt }: TakenAttempt) =>
    names.has(`${organizationId} ${key} ${attempt}`);
  await add(sql, additionsOf(attempts.filter(isNew)), now);
}

function additionsOf(attempts: readonly TakenAttempt[]): readonly Addition[] {
  const added = new Map<string, Addition>();
  for (const { organizationId, connectionId, channel, country = '', segments = 0 } of attempts) {
    const key = `${organizationId} ${connectionId} ${channel} ${country}`;
    const before = added.get(key);
    added.set(key, {
      organization_id: organizationId,
      connection_id: connectionId,
      channel,
      country,
      messages: (before?.messages ?? 0) + 1,
      segments: (before?.segments ?? 0) + segments,
      call_seconds: 0,
    });
  }
  return [...added.values()];
}

type ReportedCall = CountedCall & {
  readonly organizationId: string;
  readonly connectionId: string;
  readonly key: string;
  readonly attempt: number;
};

/** Once for each attempt, however often its vendor reports it. Late in a transaction, as above. */
export async function countCall(
  sql: Queries,
  { organizationId, connectionId, key, attempt, seconds, country }: ReportedCall,
  now: Temporal.Instant,
): Promise<void> {
  const [first] = await sql<[{ channel: string }?]>`
    update attempts a set call_seconds = ${seconds}
    where organization_id = ${organizationId} and key = ${key} and number = ${attempt}
      and call_seconds is null
    returning (
      select o.channel from outbox o
      where o.organization_id = a.organization_id and o.key = a.key) as channel`;
  if (first === undefined) return;
  const call = { organization_id: organizationId, connection_id: connectionId, country };
  const nothing = { messages: 0, segments: 0 };
  await add(sql, [{ ...call, ...nothing, ...first, call_seconds: seconds }], now);
}

/** Rows in one order, so that two transactions never wait for each other. */
async function add(
  sql: Queries,
  additions: readonly Addition[],
  now: Temporal.Instant,
): Promise<void> {
  if (additions.length === 0) return;
  const rows = additions.map((one) => ({ ...one, month: monthOf(now), part: 0 }));
  // A connection that is gone has no usage.
  await sql`
    insert into connection_usage as u (organization_id, connection_id, month, channel, country,
      part, messages, segments, call_seconds)
    select r.organization_id, r.connection_id, r.month, r.channel, r.country,
      pg_backend_pid() % ${PARTS}::integer, r.messages, r.segments, r.call_seconds
    from (select * from json_populate_recordset(null::connection_usage, ${json(sql, rows)})) r
    join channel_connections c on c.organization_id = r.organization_id and c.id = r.connection_id
    order by r.organization_id, r.connection_id, r.month, r.channel, r.country
    on conflict (organization_id, connection_id, month, channel, country, part) do update
      set messages = u.messages + excluded.messages, segments = u.segments + excluded.segments,
        call_seconds = u.call_seconds + excluded.call_seconds`;
}

type Sums = { readonly messages: number; readonly segments: number; readonly call_seconds: number };

export type MonthlyUsage = Sums & {
  readonly month: string;
  /** Of numbers, by calling code. */
  readonly countries: readonly (Sums & { readonly country: string })[];
};

type UsageRow = Sums & {
  readonly connection_id: string;
  readonly month: string;
  readonly country: string;
};

/** This month and the last, by connection. */
export async function readUsage(
  sql: Queries,
  { organizationId, now }: { readonly organizationId: string; readonly now: Temporal.Instant },
): Promise<(connectionId: string) => readonly MonthlyUsage[]> {
  const months = [monthOf(now), monthBefore(now, 1)];
  const rows = await sql<UsageRow[]>`
    select connection_id, month, country, sum(messages)::bigint as messages,
      sum(segments)::bigint as segments, sum(call_seconds)::bigint as call_seconds
    from connection_usage
    where organization_id = ${organizationId} and month = any(${months})
    group by connection_id, month, country order by country`;
  return (connectionId) =>
    months.map((month) =>
      usageOf(
        month,
        rows.filter((row) => row.connection_id === connectionId && row.month === month),
      ),
    );
}

const usageOf = (month: string, rows: readonly UsageRow[]): MonthlyUsage => ({
  month,
  ...sumOf(rows),
  countries: rows
    .filter(({ country }) => country !== '')
    .map((row) => ({ country: row.country, ...sumOf([row]) })),
});

const sumOf = (rows: readonly Sums[]): Sums => ({
  messages: rows.reduce((sum, { messages }) => sum + messages, 0),
  segments: rows.reduce((sum, { segments }) => sum + segments, 0),
  call_seconds: rows.reduce((sum, { call_seconds }) => sum + call_seconds, 0),
});

/** Of months that nobody looks at any more. */
export async function removeUsage(sql: Sql, now: Temporal.Instant): Promise<number> {
  const removed = await sql`
    delete from connection_usage where ctid in (
      select ctid from connection_usage where month <= ${monthBefore(now, retentionMonths)}
      limit ${removedAtOnce})`;
  return removed.count;
}
