import type { Queries } from '../database.ts';
import type { ListedIncident, ReadScope } from './incidents.ts';

/** The names of all that incidents refer to and the caller may see, by id. */
export async function namesIn(
  sql: Queries,
  { organizationId, teamIds }: ReadScope,
  incidents: readonly ListedIncident[],
): Promise<Readonly<Record<string, string>>> {
  const ids = [...new Set(incidents.flatMap(idsIn))];
  const within = (team: 'id' | 'team_id') =>
    teamIds === null ? sql`` : sql`and ${sql(team)} = any(${[...teamIds]})`;
  const named = sql`organization_id = ${organizationId} and id = any(${ids})`;
  const rows = await sql<{ id: string; name: string }[]>`
    select id, name from services where ${named} ${within('team_id')}
    union all
    select id, name from escalation_policies where ${named} ${within('team_id')}
    union all
    select id, coalesce(name, slug) from integrations where ${named} ${within('team_id')}
    union all
    select id, name from teams where ${named} ${within('id')}
    union all
    select id, trim(first_name || ' ' || last_name) from users where ${named}`;
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}

const idsIn = (incident: ListedIncident): readonly string[] => [
  incident.team_id,
  incident.service_id,
  incident.integration_id,
  incident.source_integration_id,
  incident.escalation_policy_id,
  ...incident.responder_ids,
];
