// Nights of people, each in the time zone of the person, else in that of the organization.
import { nightHours } from '../../resources/night-hours.ts';
import type { Queries } from '../database/database.ts';
import { type Offsets, offsetsIn, type Span } from '../database/local-time.ts';
import { json } from '../records/rows.ts';

/** The offsets of every zone that somebody is in, within one span. */
export type Night = { readonly zones: readonly (Offsets & { readonly timezone: string })[] };

export async function nightsIn(sql: Queries, organizationId: string, span: Span): Promise<Night> {
  const rows = await sql<{ timezone: string }[]>`
    select timezone from organizations where id = ${organizationId}
    union
    select timezone from users where organization_id = ${organizationId} and timezone is not null`;
  return { zones: rows.map(({ timezone }) => ({ timezone, ...offsetsIn(timezone, span) })) };
}

/** The clock of each person, read once: what a statement joins its pages with. */
export function nightClocks(sql: Queries, organizationId: string, { zones }: Night) {
  const rows = zones.map(({ at, ...zone }) => ({ ...zone, at: at.map(String) }));
  return sql`(
  select u.id as person_id, z.clock_at, z.clock_seconds
  from users u
  join organizations g on g.id = u.organization_id
  join (
    select timezone, array(select json_array_elements_text(at)::timestamptz) as clock_at,
      array(select json_array_elements_text(seconds)::float8) as clock_seconds
    from json_to_recordset(${json(sql, rows)}) as r (timezone text, at json, seconds json)
    offset 0
  ) as z on z.timezone = coalesce(u.timezone, g.timezone)
  where u.organization_id = ${organizationId} offset 0
) as clocks`;
}

/** Of a page that is joined with the clock of its person, and was created within the span. */
export const isAtNight = (sql: Queries) => sql`(
  extract(hour from created_at at time zone 'UTC'
    + make_interval(secs => clock_seconds[width_bucket(created_at, clock_at)]))
  not between ${nightHours.to}::integer and ${nightHours.from - 1}::integer)`;
