import { type Incident, type Intent, isMuted, pageKinds } from '../../incidents/incident.ts';
import { apart, type Recipient } from '../../incidents/recipient.ts';
import { queryLimits } from '../../limits/queries.ts';
import type { Queries } from '../database/database.ts';

export type WaitingPage = Pick<
  Intent,
  'incident_id' | 'kind' | 'channel' | 'cycle' | 'step' | 'user_id'
> &
  Recipient;

/** Pages that were decided before, and wait for the mutes of these incidents to end. */
export async function waitingPages(
  sql: Queries,
  organizationId: string,
  incidents: readonly Incident[],
): Promise<readonly WaitingPage[]> {
  const ids = incidents.filter(isMuted).map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await sql<WaitingPage[]>`
    select incident_id, kind, channel, cycle, step, user_id, notice->>'recipient' as recipient,
      notice->>'route' as route
    from outbox
    where organization_id = ${organizationId} and incident_id = any(${ids})
      and state = 'pending' and kind = any(${[...pageKinds]})
    order by created_at, key limit ${queryLimits.waitingPages}`;
  return rows.map(apart);
}
