import type { Queries } from '../database.ts';
import { json } from '../records/rows.ts';

/** What is told of a person on call. */
export type OnCallPerson = {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly active: boolean;
  /** Whether any of their contacts is verified. */
  readonly verified: boolean;
};

/** By id; ids that name nobody of the organisation are left out. */
export async function readPeople(
  sql: Queries,
  organizationId: string,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, OnCallPerson>> {
  const sought = [...new Set(ids)];
  if (sought.length === 0) return new Map();
  const rows = await sql<OnCallPerson[]>`
    select u.id, u.first_name, u.last_name, u.active, exists (
      select from contacts c where c.organization_id = u.organization_id and c.user_id = u.id
        and c.verified_at is not null) as verified
    from users u
    where u.organization_id = ${organizationId}
      and u.id in (select json_array_elements_text(${json(sql, sought)}))`;
  return new Map(rows.map((row) => [row.id, row]));
}
