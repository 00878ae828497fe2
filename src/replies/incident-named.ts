import { Unreadable } from '../engine/unreadable.ts';
import type { Incident } from '../incidents/incident.ts';
import type { Queries } from '../storage/database/database.ts';
import { findIncident } from '../storage/incidents/incidents.ts';

export const notThere = 'This incident no longer exists.';
export const notReadable = 'The incident cannot be read. Open Pager to see why.';

type Name = { readonly id: string } | { readonly number: number };

/** The incident of any team that somebody names or whose button they press, or the text that says why not. */
export async function incidentNamed(
  sql: Queries,
  organizationId: string,
  name: Name,
): Promise<Incident | string> {
  const scope = { organizationId, teamIds: null };
  const key = 'id' in name ? name : { counter: name.number };
  const incident = await findIncident(sql, scope, key).catch(unreadable);
  if (incident === 'unreadable') return notReadable;
  if (incident !== null) return incident;
  return 'id' in name ? notThere : `There is no INC-${name.number}.`;
}

function unreadable(error: unknown): 'unreadable' {
  if (error instanceof Unreadable) return 'unreadable';
  throw error;
}
