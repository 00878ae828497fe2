// Single events and the integrations that got them, as people read them.
import type { Mapping } from '../../alerts/reading/notation.ts';
import type { StoredEvent } from '../../engine/ports/events.ts';
import type { Queries } from '../database/database.ts';
import { type MappingRow, mappingOf } from '../integrations/mappings.ts';
import { type EventRow, eventColumns, storedEvent } from '../ledger/events.ts';
import { integrationName } from '../records/names.ts';
import { inScope, type Scope } from '../records/queries.ts';

/** An integration, as much as reading and judging its events needs. */
export type ReadingIntegration = {
  readonly id: string;
  readonly team_id: string;
  readonly slug: string;
  readonly name: string;
  readonly service_id: string;
  readonly disable_incident_suppression: boolean;
  readonly mapping: Mapping | null;
};

export async function findIntegration(
  sql: Queries,
  scope: Scope,
  id: string,
): Promise<ReadingIntegration | null> {
  const [row] = await sql<ReadingRow[]>`
    select ${readingColumns(sql)} from integrations
    where ${inScope(sql, scope)} and id = ${id}`;
  return row === undefined ? null : readingIntegration(row);
}

const readingColumns = (sql: Queries) => sql`
  id, team_id, slug, service_id, ${integrationName(sql)} as name, disable_incident_suppression,
  mapping, mapping_revision`;

type ReadingRow = Omit<ReadingIntegration, 'mapping'> & MappingRow;

const readingIntegration = ({
  mapping,
  mapping_revision,
  ...row
}: ReadingRow): ReadingIntegration => ({
  ...row,
  mapping: mappingOf({ mapping, mapping_revision }),
});

/** From the log of one of the caller's integrations. */
export async function findEvent(
  sql: Queries,
  scope: Scope,
  id: string,
): Promise<StoredEvent | null> {
  const [row] = await sql<EventRow[]>`
    select ${eventColumns(sql)} from events where organization_id = ${scope.organizationId} and id = ${id} and exists (
      select 1 from integrations i where ${inScope(sql, scope)} and i.id = events.integration_id)`;
  return row === undefined ? null : storedEvent(row);
}

type Tried = { readonly integrationId: string; readonly organizationId: string } & (
  | { readonly ids: readonly string[] }
  | { readonly last: number }
);

/** Newest first, those named or the last; no more bytes than that, but always one. */
export async function eventsToTry(
  sql: Queries,
  { organizationId, integrationId, ...which }: Tried,
  bytesMax: number,
): Promise<readonly StoredEvent[]> {
  const named = 'ids' in which ? sql`and id = any(${[...which.ids]})` : sql``;
  const most = 'last' in which ? which.last : which.ids.length;
  const rows = await sql<EventRow[]>`
    select ${eventColumns(sql)} from (
      select *, sum(octet_length(body)) over (order by id desc) - octet_length(body) as bytes_before
      from (
        select * from events
        where organization_id = ${organizationId} and integration_id = ${integrationId} ${named}
        order by id desc limit ${most}
      ) newest
    ) counted
    where bytes_before < ${bytesMax} order by id desc`;
  return rows.map(storedEvent);
}

/** Of one integration. */
export async function openKeys(
  sql: Queries,
  of: { readonly organizationId: string; readonly integrationId: string },
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ dedup_key: string }[]>`
    select distinct dedup_key from incidents
    where organization_id = ${of.organizationId} and source_integration_id = ${of.integrationId}
      and status <> 'resolved'`;
  return new Set(rows.map((row) => row.dedup_key));
}

/** Of these integrations, what arrived from one instant on until another. */
export type EventSpan = {
  readonly organizationId: string;
  readonly integrationIds: readonly string[];
  readonly from: Temporal.Instant;
  readonly to: Temporal.Instant;
};

const within = (sql: Queries, { organizationId, integrationIds, from, to }: EventSpan) => sql`
  organization_id = ${organizationId} and integration_id = any(${[...integrationIds]})
  and received_at between ${from} and ${to}`;

type Limits = { readonly events: number; readonly bytes: number };

/** The newest event that is too much, counted from the newest; null: there are not so many. */
export async function beyondLast(
  sql: Queries,
  span: EventSpan,
  { events, bytes }: Limits,
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from (
      select id, row_number() over newest as nth, sum(octet_length(body)) over newest as bytes
      from (
        select id, body from events where ${within(sql, span)} order by id desc limit ${events + 1}
      ) last
      window newest as (order by id desc)
    ) counted
    where nth > ${events} or bytes > ${bytes} order by id desc limit 1`;
  return row?.id ?? null;
}

/** In one portion; of these bytes one event may have more. */
const AT_ONCE = { events: 100, bytes: 1024 * 1024 };

/** Oldest first, in portions; only those after the one with that id. */
export async function* eventsIn(
  sql: Queries,
  span: EventSpan,
  after: string | null,
): AsyncGenerator<readonly StoredEvent[]> {
  for (let last = after ?? ''; ; ) {
    const rows = await sql<EventRow[]>`
      select ${eventColumns(sql)} from (
        select *, sum(octet_length(body)) over (order by id) - octet_length(body) as bytes_before
        from (
          select * from events where ${within(sql, span)} and id > ${last}
          order by id limit ${AT_ONCE.events}
        ) next
      ) counted
      where bytes_before < ${AT_ONCE.bytes} order by id`;
    const end = rows.at(-1);
    if (!end) return;
    yield rows.map(storedEvent);
    last = end.id;
  }
}

/** Of one team, archived ones too: each may have events. */
export async function integrationsOfTeam(
  sql: Queries,
  scope: Scope,
  teamId: string,
): Promise<readonly ReadingIntegration[]> {
  const rows = await sql<ReadingRow[]>`
    select ${readingColumns(sql)} from integrations
    where ${inScope(sql, scope)} and team_id = ${teamId} order by id`;
  return rows.map(readingIntegration);
}
