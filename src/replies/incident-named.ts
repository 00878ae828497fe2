import { Unreadable } from '../engine/unreadable.ts';
import type { Incident } from '../incidents/incident.ts';
import { english, type Phrases } from '../notices/words/en.ts';
import type { Queries } from '../storage/database/database.ts';
import { findIncident } from '../storage/incidents/incidents.ts';

type Answers = Pick<Phrases['answer'], 'notThere' | 'notReadable' | 'unknownNumber'>;

type Name = { readonly id: string } | { readonly number: number };

/** The incident of any team that somebody names or whose button they press, or the text that says why not. */
export async function incidentNamed(
  sql: Queries,
  organizationId: string,
  name: Name,
  { notThere, notReadable, unknownNumber }: Answers = english.answer,
): Promise<Incident | string> {
  const scope = { organizationId, teamIds: null };
  const key = 'id' in name ? name : { counter: name.number };
  const incident = await findIncident(sql, scope, key).catch(unreadable);
  if (incident === 'unreadable') return notReadable;
  if (incident !== null) return incident;
  return 'id' in name ? notThere : unknownNumber(name.number);
}

function unreadable(error: unknown): 'unreadable' {
  if (error instanceof Unreadable) return 'unreadable';
  throw error;
}
