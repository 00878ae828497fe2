import type { Actor, Incident } from '../../incidents/incident.ts';
import type { Sql } from '../../storage/database/database.ts';
import { findIncident } from '../../storage/incidents/incidents.ts';
import { keyOf, type Scope } from '../../storage/records/queries.ts';
import { notFound } from '../failures.ts';
import type { Call, Caller } from '../route.ts';

export const scopeOf = ({ organizationId, teamIds }: Caller): Scope => ({
  organizationId,
  teamIds,
});

/** The incident that the path names, by id or number. */
export async function incidentInPath(sql: Sql, call: Call): Promise<Incident> {
  const key = keyOf(call.params['id'] ?? '');
  const incident = key && (await findIncident(sql, scopeOf(call.caller), key));
  if (!incident) throw notFound();
  return incident;
}

/** Whoever sends a request, as timelines name them. */
export const actorOf = (caller: Caller): Actor => ({
  type: caller.kind === 'key' ? 'key' : 'user',
  id: caller.id,
  name: caller.name,
  via: caller.kind === 'key' ? 'api' : 'dashboard',
});
