// What a reader of an incident sees beside it: its service, who acted on it, and their time zone.
import type { Incident } from '../../incidents/incident.ts';
import { knownLanguage, type Language } from '../../resources/language.ts';
import type { Queries } from '../database/database.ts';

export type Surroundings = {
  readonly service: string;
  /** Of the reader, else of the organisation. */
  readonly timezone: string;
  /** The same. */
  readonly language: Language;
  /** Who acknowledged or resolved it as it is now; null: nobody did, or it is not known any more. */
  readonly acknowledged_by: string | null;
  readonly resolved_by: string | null;
};

export async function surroundingsOf(
  sql: Queries,
  incident: Incident,
  readerId: string | null,
): Promise<Surroundings> {
  const { organization_id: organizationId, id } = incident;
  const last = (type: string) => sql`(
    select actor->>'name' from timeline
    where organization_id = ${organizationId} and incident_id = ${id} and type = ${type}
    order by sequence desc limit 1)`;
  const [row] = await sql<(Omit<Surroundings, 'language'> & { readonly language: string })[]>`
    select s.name as service, coalesce(u.timezone, o.timezone) as timezone,
      coalesce(u.language, o.language) as language,
      ${incident.acknowledged_at ? last('acknowledged') : null} as acknowledged_by,
      ${incident.resolved_at ? last('resolved') : null} as resolved_by
    from organizations o
    join services s on s.organization_id = o.id and s.id = ${incident.service_id}
    left join users u on u.organization_id = o.id and u.id = ${readerId}
    where o.id = ${organizationId}`;
  if (row === undefined) throw new Error(`INC-${incident.number} has no service`);
  return { ...row, language: knownLanguage(row.language) };
}
