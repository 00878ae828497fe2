// Single events and the integrations that got them, as people read them.
import type { StoredEvent } from '../engine/ledger.ts';
import type { Queries } from './database.ts';
import { inScope, type Scope } from './record-queries.ts';

/** An integration, as much as reading and judging its events needs. */
export type ReadingIntegration = {
  readonly id: string;
  readonly team_id: string;
  readonly slug: string;
  readonly name: string;
  readonly service_id: string;
};

export async function findIntegration(
  sql: Queries,
  scope: Scope,
  id: string,
): Promise<ReadingIntegration | null> {
  const [row] = await sql<ReadingIntegration[]>`
    select id, team_id, slug, service_id,
      coalesce(name, slug || ' integration ' || counter) as name
    from integrations where ${inScope(sql, scope)} and id = ${id}`;
  return row ?? null;
}

type EventRow = Omit<StoredEvent, 'body'> & { body: string; body_encoding: 'utf-8' | 'base64' };

/** From the log of one of the caller's integrations. */
export async function findEvent(
  sql: Queries,
  scope: Scope,
  id: string,
): Promise<StoredEvent | null> {
  const [row] = await sql<EventRow[]>`
    select organization_id, id, integration_id, received_at, door, path, content_type, body,
      body_encoding
    from events where organization_id = ${scope.organizationId} and id = ${id} and exists (
      select 1 from integrations i where ${inScope(sql, scope)} and i.id = events.integration_id)`;
  return row === undefined ? null : storedEvent(row);
}

const storedEvent = ({ body_encoding, body, ...row }: EventRow): StoredEvent => ({
  ...row,
  body: Buffer.from(body, body_encoding === 'base64' ? 'base64' : 'utf8'),
});
