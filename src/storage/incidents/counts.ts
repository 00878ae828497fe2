import { queryLimits } from '../../limits/queries.ts';
import type { Queries } from '../database/database.ts';
import { inScope, type Scope } from '../records/queries.ts';

type IncidentCounts = {
  readonly triggered: number;
  readonly acknowledged: number;
  readonly resolved: number;
  /** Whether there are none but those among which was counted. */
  readonly complete: boolean;
};

/** Of those that are open, and of those resolved since then: each among the last so many. */
export async function countIncidents(
  sql: Queries,
  scope: Scope,
  since: Temporal.Instant,
): Promise<IncidentCounts> {
  const most = queryLimits.incidentsSearched;
  const { organizationId } = scope;
  const counted = inScope(sql, scope);
  const [row] = await sql<[IncidentCounts]>`
    with open as materialized (
      select organization_id, team_id, status from incidents
      where organization_id = ${organizationId} and status <> 'resolved'
      order by number desc limit ${most}
    ), resolved as materialized (
      select organization_id, team_id from incidents
      where organization_id = ${organizationId} and status = 'resolved' and resolved_at >= ${since}
      order by resolved_at desc limit ${most}
    )
    select
      (select count(*)::integer from open where ${counted} and status = 'triggered') as triggered,
      (select count(*)::integer from open where ${counted} and status = 'acknowledged') as acknowledged,
      (select count(*)::integer from resolved where ${counted}) as resolved,
      (select count(*) from open) < ${most} and (select count(*) from resolved) < ${most} as complete`;
  return row;
}
