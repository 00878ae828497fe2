import { isUtf8 } from 'node:buffer';
import { failureOf } from '../../engine/log.ts';
import type { Decision, StoredEvent, UnreadableEvent } from '../../engine/ports/events.ts';
import { hourOf } from '../../engine/ports/intake.ts';
import type { Key } from '../../engine/ports/keys.ts';
import type { Queries } from '../database/database.ts';
import { notifyOfUndecided } from '../outbox/admins.ts';
import { integrationName } from '../records/names.ts';
import { json, namedRows } from '../records/rows.ts';
import type { LedgerContext } from './context.ts';
import { keyed } from './keys.ts';

type DecidedEvent = { readonly event: StoredEvent; readonly decision: Decision | null };

/** Text where it is text, for it is half the size and readable; base64 otherwise. */
function bodyOf(body: Uint8Array) {
  const isText = isUtf8(body) && !body.includes(0);
  const encoding = isText ? 'utf-8' : 'base64';
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return { body: bytes.toString(isText ? 'utf8' : 'base64'), body_encoding: encoding };
}

export async function insertEvents(
  { sql }: LedgerContext,
  events: readonly DecidedEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ event, decision }) => ({
    ...event,
    ...bodyOf(event.body),
    outcome: decision?.outcome ?? null,
    reason: decision?.reason ?? null,
    alerts: decision?.alerts ?? null,
    times: 1,
    suppressed_onto_id: decision?.suppressedOnto ?? null,
    decided_at: decision ? event.received_at : null,
  }));
  await sql`insert into events ${namedRows(sql, 'events', rows)}`;
}

export async function settleEvents(
  { sql }: LedgerContext,
  events: readonly { readonly event: StoredEvent; readonly decision: Decision }[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ event, decision }) => ({
    organization_id: event.organization_id,
    id: event.id,
    received_at: event.received_at,
    mapping_revision: event.mapping_revision,
    ...decision,
    suppressed_onto_id: decision.suppressedOnto ?? null,
    decided_at: event.received_at,
  }));
  const cut = events.filter(({ event }) => event.cut_from != null).map(({ event }) => event);
  await Promise.all([settleAll(sql, rows), replaceCut(sql, cut)]);
}

const settleAll = (sql: Queries, rows: readonly object[]) => sql`
    update events e
    set outcome = r.outcome, reason = r.reason, alerts = r.alerts, decided_at = r.decided_at,
      suppressed_onto_id = r.suppressed_onto_id, mapping_revision = r.mapping_revision
    from json_populate_recordset(null::events, ${json(sql, rows)}) r
    where e.organization_id = r.organization_id and e.id = r.id
      and e.received_at = r.received_at`;

/** What was cut of events that had been stored whole. */
async function replaceCut(sql: Queries, events: readonly StoredEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => ({ ...event, ...bodyOf(event.body) }));
  await sql`
    update events e
    set body = r.body, body_encoding = r.body_encoding, path = r.path, query = r.query,
      headers = r.headers, mail = r.mail, cut_from = r.cut_from
    from json_populate_recordset(null::events, ${json(sql, rows)}) r
    where e.organization_id = r.organization_id and e.id = r.id`;
}

/** An event is given up once, so admins are notified once. */
export const notifyOfEvent = (
  context: LedgerContext,
  event: StoredEvent,
  { error, now }: { readonly error: unknown; readonly now: Temporal.Instant },
): Promise<void> =>
  notifyOf(context, event, { reason: failureOf(error), key: event.id, since: 'once', now });

/** Once an hour of each integration, however many come. */
export const notifyOfUnreadableEvent = (
  context: LedgerContext,
  event: StoredEvent,
  { reason, now }: UnreadableEvent,
): Promise<void> =>
  notifyOf(context, event, { reason, key: event.integration_id, since: hourOf(now), now });

type About = {
  readonly reason: string;
  readonly key: string;
  readonly since: string;
  readonly now: Temporal.Instant;
};

async function notifyOf(
  context: LedgerContext,
  { organization_id, id, integration_id }: StoredEvent,
  { reason, key, since, now }: About,
): Promise<void> {
  const [row] = await context.sql<{ team_id: string; name: string }[]>`
    select team_id, ${integrationName(context.sql)} as name from integrations
    where organization_id = ${organization_id} and id = ${integration_id}`;
  const { team_id, name } = row ?? { team_id: null, name: 'An integration that is gone' };
  const undecided = { of: 'event', id, name, reason } as const;
  await notifyOfUndecided(context, { organization_id, team_id, key, since, ...undecided }, now);
}

export async function countStorm(
  { sql }: LedgerContext,
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

/** In the order of their ids, so that two batches never wait for each other. */
export async function lockIntegrations(
  { sql }: LedgerContext,
  keys: readonly Key[],
): Promise<void> {
  const wanted = keys.map(({ organization_id, integration_id: id }) => ({ organization_id, id }));
  await sql`
    select from ${keyed(sql, wanted)}
    join integrations i on i.organization_id = k.organization_id and i.id = k.id
    order by i.id for no key update of i`;
}

/** One look into the index for each, however much waits. */
export async function withBacklog(
  { sql }: LedgerContext,
  keys: readonly Key[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ integration_id: string }[]>`
    select k.integration_id
    from json_to_recordset(${json(sql, keys)}) as k(organization_id text, integration_id text)
    where exists (
      select from events e
      where e.organization_id = k.organization_id and e.integration_id = k.integration_id
        and e.decided_at is null
    )`;
  return new Set(rows.map((row) => row.integration_id));
}

/** How the bytes of a body are stored as text. */
export const bodyEncodings = ['utf-8', 'base64'] as const;

export type EventRow = Omit<StoredEvent, 'body'> & {
  readonly body: string;
  readonly body_encoding: (typeof bodyEncodings)[number];
};

/** What an event is made of again. */
export const eventColumns = (sql: Queries) => sql`
  organization_id, id, integration_id, received_at, source, path, method, query, headers,
  content_type, body, body_encoding, mail, mapping_revision, cut_from`;

export const storedEvent = ({ body_encoding, body, ...row }: EventRow): StoredEvent => ({
  ...row,
  body: Buffer.from(body, body_encoding === 'base64' ? 'base64' : 'utf8'),
});
