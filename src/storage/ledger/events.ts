import { isUtf8 } from 'node:buffer';
import type { Decision, Key, StoredEvent } from '../../engine/ledger.ts';
import type { Queries } from '../database.ts';
import { json } from '../records/rows.ts';
import type { Desk } from './ledger.ts';

type Fate = { readonly event: StoredEvent; readonly decision: Decision | null };

/** Text where it is text, for it is half the size and readable; base64 otherwise. */
function bodyOf(body: Uint8Array) {
  const isText = isUtf8(body) && !body.includes(0);
  const encoding = isText ? 'utf-8' : 'base64';
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return { body: bytes.toString(isText ? 'utf8' : 'base64'), body_encoding: encoding };
}

export async function insertEvents({ sql }: Desk, fates: readonly Fate[]): Promise<void> {
  if (fates.length === 0) return;
  const rows = fates.map(({ event, decision }) => ({
    ...event,
    ...bodyOf(event.body),
    outcome: decision?.outcome ?? null,
    reason: decision?.reason ?? null,
    alerts: decision?.alerts ?? null,
    times: 1,
    decided_at: decision ? event.received_at : null,
  }));
  await sql`
    insert into events select * from json_populate_recordset(null::events, ${json(sql, rows)})`;
}

export async function settleEvents(
  { sql }: Desk,
  fates: readonly { readonly event: StoredEvent; readonly decision: Decision }[],
): Promise<void> {
  if (fates.length === 0) return;
  const rows = fates.map(({ event, decision }) => ({
    organization_id: event.organization_id,
    id: event.id,
    received_at: event.received_at,
    ...decision,
    decided_at: event.received_at,
  }));
  await sql`
    update events e
    set outcome = r.outcome, reason = r.reason, alerts = r.alerts, decided_at = r.decided_at
    from json_populate_recordset(null::events, ${json(sql, rows)}) r
    where e.organization_id = r.organization_id and e.id = r.id
      and e.received_at = r.received_at`;
}

export async function countStorm(
  { sql }: Desk,
  counts: ReadonlyMap<string, { readonly key: Key; readonly times: number }>,
): Promise<void> {
  // In the order of ids, so that two batches never wait for each other.
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  await Promise.all(
    sorted.map(
      ([id, { key, times }]) => sql`
        update events set times = times + ${times}
        where organization_id = ${key.organization_id} and id = ${id}`,
    ),
  );
}

export async function withBacklog(
  { sql }: Desk,
  keys: readonly Key[],
): Promise<ReadonlySet<string>> {
  const ids = keys.map((key) => key.integration_id);
  const organizations = [...new Set(keys.map((key) => key.organization_id))];
  const rows = await sql<{ integration_id: string }[]>`
    select distinct integration_id from events
    where organization_id = any(${organizations}) and integration_id = any(${ids})
      and decided_at is null`;
  return new Set(rows.map((row) => row.integration_id));
}

export type EventRow = Omit<StoredEvent, 'body'> & {
  readonly body: string;
  readonly body_encoding: 'utf-8' | 'base64';
};

/** What an event is made of again. */
export const eventColumns = (sql: Queries) => sql`
  organization_id, id, integration_id, received_at, door, path, content_type, body, body_encoding`;

export const storedEvent = ({ body_encoding, body, ...row }: EventRow): StoredEvent => ({
  ...row,
  body: Buffer.from(body, body_encoding === 'base64' ? 'base64' : 'utf8'),
});

/** As stored. An event more is read, however large it is: one at least. */
const backlogBytes = 4 * 1024 * 1024;

/**
 * One integration's oldest undecided events. Its lock comes first and is skipped when another
 * process holds it, so that order is kept and nobody waits.
 */
export async function backlog({ sql }: Desk, limit: number): Promise<readonly StoredEvent[]> {
  const waiting = await sql<{ integration_id: string }[]>`
    select integration_id from events where decided_at is null limit ${limit}`;
  if (waiting.length === 0) return [];
  const ids = [...new Set(waiting.map((row) => row.integration_id))];
  const [due] = await sql<{ organization_id: string; id: string }[]>`
    select organization_id, id from integrations where id = any(${ids})
    limit 1 for no key update skip locked`;
  if (!due) return [];
  const rows = await sql<EventRow[]>`
    select ${eventColumns(sql)} from (
      select *, sum(pg_column_size(body)) over (order by received_at, id) as bytes
      from events
      where organization_id = ${due.organization_id} and integration_id = ${due.id}
        and decided_at is null
      order by received_at, id limit ${limit}
    ) oldest
    where bytes - pg_column_size(body) < ${backlogBytes} order by received_at, id`;
  return rows.map(storedEvent);
}
