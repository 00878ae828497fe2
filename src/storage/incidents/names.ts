import type { Queries } from '../database/database.ts';
import { integrationName, personName } from '../records/names.ts';
import { inScope, type Scope } from '../records/queries.ts';
import type { ListedIncident } from './incidents.ts';

/** The names of all that incidents refer to and the caller may see, by id. */
export async function namesIn(
  sql: Queries,
  scope: Scope,
  incidents: readonly ListedIncident[],
  more: readonly string[] = [],
): Promise<Readonly<Record<string, string>>> {
  const ids = [...new Set([...incidents.flatMap(idsIn), ...more])];
  const named = sql`id = any(${ids}) and ${inScope(sql, scope)}`;
  const rows = await sql<{ id: string; name: string }[]>`
    select id, name from services where ${named}
    union all
    select id, name from escalation_policies where ${named}
    union all
    select id, ${integrationName(sql)} from integrations where ${named}
    union all
    select id, name from teams where id = any(${ids}) and ${inScope(sql, scope, 'id')}
    union all
    select id, ${personName(sql)} from users
    where id = any(${ids}) and organization_id = ${scope.organizationId}`;
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}

const idsIn = (incident: ListedIncident): readonly string[] =>
  [
    incident.team_id,
    incident.service_id,
    incident.integration_id,
    incident.source_integration_id,
    incident.escalation_policy_id,
    ...incident.responder_ids,
  ].filter((id) => id !== null);
