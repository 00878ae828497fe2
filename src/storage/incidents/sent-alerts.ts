// What became of the events and alerts of one integration, for the tool that sent them.
import type { AlertResult, EventOutcome } from '../../engine/ports/events.ts';
import type { Queries } from '../database/database.ts';

export type OfIntegration = { readonly organizationId: string; readonly integrationId: string };

export type SentEvent = {
  readonly outcome: EventOutcome;
  readonly reason: string | null;
  readonly alerts: readonly AlertResult[];
  readonly decided_at: Temporal.Instant;
};

/** Null: there is none, or it is not decided yet. */
export async function findSentEvent(
  sql: Queries,
  { organizationId, integrationId }: OfIntegration,
  id: string,
): Promise<SentEvent | null> {
  const [row] = await sql<SentEvent[]>`
    select outcome, reason, alerts, decided_at from events
    where organization_id = ${organizationId} and id = ${id}
      and integration_id = ${integrationId} and decided_at is not null`;
  return row ?? null;
}

export type SentAlert = {
  readonly id: string;
  readonly number: number;
  readonly dedup_key: string;
  readonly status: 'triggered' | 'acknowledged' | 'resolved';
  readonly suppressed_count: number;
  readonly created_at: Temporal.Instant;
  readonly updated_at: Temporal.Instant;
};

type Identifier = Readonly<Partial<Pick<SentAlert, 'id' | 'number' | 'dedup_key'>>>;

/** By its id, its number, or its key: of those of one key the open one, else the newest. */
export async function findSentAlert(
  sql: Queries,
  { organizationId, integrationId }: OfIntegration,
  { id, number, dedup_key }: Identifier,
): Promise<SentAlert | null> {
  const named = () => {
    if (id !== undefined) return sql`id = ${id}`;
    if (number !== undefined) return sql`number = ${number}`;
    return sql`dedup_key = ${dedup_key ?? ''}`;
  };
  const [row] = await sql<SentAlert[]>`
    select id, number, dedup_key, status, suppressed_count, created_at, updated_at from incidents
    where organization_id = ${organizationId} and source_integration_id = ${integrationId}
      and ${named()}
    order by status = 'resolved', id desc limit 1`;
  const own = row ?? null;
  if (dedup_key === undefined || own?.status === 'triggered') return own;
  return (await findJoined(sql, { organizationId, integrationId, dedup_key })) ?? own;
}

/** As one of several alerts of an incident that another opened: the open one, else the newest. */
async function findJoined(
  sql: Queries,
  { organizationId, integrationId, dedup_key }: OfIntegration & { readonly dedup_key: string },
): Promise<SentAlert | null> {
  const [row] = await sql<SentAlert[]>`
    select i.id, i.number, a.dedup_key,
      case when a.state = 'resolved' then 'resolved' else i.status end as status,
      a.times - 1 as suppressed_count, a.first_at as created_at, i.updated_at
    from incident_alerts a
    join incidents i on i.organization_id = a.organization_id and i.id = a.incident_id
    where a.organization_id = ${organizationId} and a.integration_id = ${integrationId}
      and a.dedup_key = ${dedup_key}
    order by a.is_open desc, i.number desc limit 1`;
  return row ?? null;
}

/** How many of them are open. */
export async function countOpenAlerts(
  sql: Queries,
  { organizationId, integrationId }: OfIntegration,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from incidents
    where organization_id = ${organizationId} and source_integration_id = ${integrationId}
      and status <> 'resolved'`;
  return row?.count ?? 0;
}
