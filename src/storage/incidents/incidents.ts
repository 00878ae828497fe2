// Incidents, timelines and event logs as they are read by people; the engine has its own ledger.
import type { ReceiptState } from '../../engine/sending/receipt.ts';
import type { TriedContact } from '../../engine/sending/retry-routes.ts';
import { Unreadable } from '../../engine/unreadable.ts';
import type { Incident } from '../../incidents/incident.ts';
import { columnList } from '../database/columns.ts';
import type { Queries } from '../database/database.ts';
import { columns, type IncidentRow, incidentOf } from '../ledger/incident-rows.ts';
import { personName } from '../records/names.ts';
import { inScope, type Scope } from '../records/queries.ts';

/**
 * Without what only the engine asks for: one that it cannot read is on the list with the others.
 */
export type ListedIncident = Omit<Incident, 'escalation' | 'steps' | 'alerts'>;

/** By id or by number. */
export async function findIncident(
  sql: Queries,
  scope: Scope,
  key: { readonly id: string } | { readonly counter: number },
): Promise<Incident | null> {
  const named = 'id' in key ? sql`id = ${key.id}` : sql`number = ${key.counter}`;
  const [row] = await sql<IncidentRow[]>`
    select ${columnList(sql, columns)} from incidents where ${inScope(sql, scope)} and ${named}`;
  if (!row) return null;
  try {
    return incidentOf(row);
  } catch (error) {
    throw new Unreadable(`INC-${row.number}`, error);
  }
}

/** Its times are text, as JSON of PostgreSQL has them. */
export type AttemptRow = {
  readonly number: number;
  readonly claimed_at: string;
  readonly finished_at: string | null;
  readonly outcome: string | null;
  readonly blame: string | null;
  readonly reason: string | null;
  readonly answer: unknown;
  /** Null: no connection has taken it. */
  readonly connection: { readonly id: string; readonly name: string } | null;
  /** The last one. */
  readonly receipt: {
    readonly state: ReceiptState;
    readonly reason: string | null;
    readonly at: string;
  } | null;
};

export type NoticeRow = {
  key: string;
  kind: string;
  channel: string;
  recipient: string | null;
  route: string | null;
  user_id: string | null;
  state: string;
  reason: string | null;
  created_at: Temporal.Instant;
  finished_at: Temporal.Instant | null;
  /** Of a page that has moved on from contacts of its recipient. */
  tried: readonly TriedContact[] | null;
  /** Where it is now; null: it is not shown. */
  address: string | null;
  attempts: readonly AttemptRow[];
};

/** Of a row `o` of the outbox, but where it is sent. */
export const noticeColumns = (sql: Queries) => sql`
  o.key, o.kind, o.channel, o.notice->>'recipient' as recipient,
  o.notice->>'route' as route, o.user_id, o.state,
  o.reason, o.created_at, o.finished_at, o.notice->'tried' as tried,
  coalesce((
    select json_agg(json_build_object('number', a.number, 'claimed_at', a.claimed_at,
      'finished_at', a.finished_at, 'outcome', a.outcome, 'blame', a.blame,
      'reason', a.reason, 'answer', a.answer,
      'connection', case when c.id is not null then
        json_build_object('id', c.id, 'name', c.name) end,
      'receipt', case when a.receipt is not null then
        json_build_object('state', a.receipt, 'reason', nullif(a.receipt_reason, ''),
          'at', a.receipt_at) end) order by a.number)
    from attempts a
    left join channel_connections c
      on c.organization_id = a.organization_id and c.id = a.connection_id
    where a.organization_id = o.organization_id and a.key = o.key
  ), '[]'::json) as attempts`;

/** The notices about an incident with all attempts. */
export async function listNotices(
  sql: Queries,
  on: { readonly organizationId: string; readonly incidentId: string },
): Promise<readonly NoticeRow[]> {
  return sql<NoticeRow[]>`
    select ${noticeColumns(sql)},
      case when o.notice->'tried' is not null then o.notice->>'address' end as address
    from outbox o
    where o.organization_id = ${on.organizationId} and o.incident_id = ${on.incidentId}
    order by o.created_at, o.key`;
}

/** As an event is stored with what became of it. */
export type StoredAlert = { readonly incident_id: string | null };

export type EventRow = {
  id: string;
  received_at: Temporal.Instant;
  source: string;
  path: string;
  method: string | null;
  query: string | null;
  headers: Readonly<Record<string, string>> | null;
  content_type: string;
  body: string;
  body_encoding: string;
  outcome: string | null;
  reason: string | null;
  alerts: readonly StoredAlert[] | null;
  times: number;
  cut_from: number | null;
};

/** Newest first. */
export async function listEvents(
  sql: Queries,
  on: { readonly organizationId: string; readonly integrationId: string },
  slice: { readonly limit: number; readonly before: string | null },
): Promise<readonly EventRow[]> {
  return sql<EventRow[]>`
    select id, received_at, source, path, method, query, headers, content_type, body, body_encoding,
      outcome, reason, alerts, times, cut_from
    from events
    where organization_id = ${on.organizationId} and integration_id = ${on.integrationId}
      ${slice.before === null ? sql`` : sql`and id < ${slice.before}`}
    order by id desc limit ${slice.limit}`;
}

/** Number and title of those that the caller sees, by id. */
export async function incidentsNamed(
  sql: Queries,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly number: number; readonly title: string }>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: string; number: number; title: string }[]>`
    select id, number, title from incidents
    where ${inScope(sql, scope)} and id = any(${[...ids]})`;
  return new Map(rows.map(({ id, ...named }) => [id, named]));
}

/** Whether the integration exists within the caller's teams. */
export async function integrationIdOf(
  sql: Queries,
  scope: Scope,
  key: { readonly id: string } | { readonly counter: number },
): Promise<string | null> {
  const named = 'id' in key ? sql`id = ${key.id}` : sql`counter = ${key.counter}`;
  const [row] = await sql<{ id: string }[]>`
    select id from integrations where ${inScope(sql, scope)} and ${named}`;
  return row?.id ?? null;
}

/** An active or inactive user's name. */
export async function nameOfUser(
  sql: Queries,
  organizationId: string,
  id: string,
): Promise<string | null> {
  const [row] = await sql<{ name: string }[]>`
    select ${personName(sql)} as name from users
    where organization_id = ${organizationId} and id = ${id} and active`;
  return row?.name ?? null;
}
