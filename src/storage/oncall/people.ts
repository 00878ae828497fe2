import type { Queries } from '../database/database.ts';
import { json } from '../records/rows.ts';

/** What is told of a person on call. */
export type OnCallPerson = {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly active: boolean;
};

/** By id; ids that name nobody of the organisation are left out. */
export async function readPeople(
  sql: Queries,
  organizationId: string,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, OnCallPerson>> {
  const userIds = [...new Set(ids)];
  if (userIds.length === 0) return new Map();
  const rows = await sql<OnCallPerson[]>`
    select id, first_name, last_name, active from users
    where organization_id = ${organizationId}
      and id in (select json_array_elements_text(${json(sql, userIds)}))`;
  return new Map(rows.map((row) => [row.id, row]));
}
