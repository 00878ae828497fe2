// Who has an incident of a list: the last entry of its timeline that gave it its status.
import type { Actor } from '../../incidents/incident.ts';
import type { Queries } from '../database/database.ts';
import type { ListedIncident } from './incidents.ts';

export type Handler = { readonly actor: Actor; readonly at: Temporal.Instant };

/** By the id of the incident; without those of which nobody, or nothing, is known to have it. */
export async function handledBy(
  sql: Queries,
  organizationId: string,
  incidents: readonly ListedIncident[],
): Promise<ReadonlyMap<string, Handler>> {
  const handled = incidents.filter(
    ({ status, merged_into_id }) => status !== 'triggered' && merged_into_id === null,
  );
  if (handled.length === 0) return new Map();
  // The name of the status is that of the entry too.
  const rows = await sql<(Handler & { id: string })[]>`
    select i.id, t.actor, t.at
    from unnest(${handled.map(({ id }) => id)}::text[],
      ${handled.map(({ status }) => status)}::text[]) as i (id, status)
    cross join lateral (
      select actor, at from timeline
      where organization_id = ${organizationId} and incident_id = i.id and type = i.status
        and actor is not null
      order by sequence desc limit 1) t`;
  return new Map(rows.map(({ id, ...handler }) => [id, handler]));
}
