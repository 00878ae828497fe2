import type { Queries } from '../database/database.ts';
import { canaryId } from '../health/canary.ts';

/** Whether nobody of another one uses this installation. */
export async function hasOneOrganization(sql: Queries): Promise<boolean> {
  const others = await sql`select from organizations where id <> ${canaryId} limit 2`;
  return others.length === 1;
}

export type Named = { readonly id: string; readonly name: string };

/** Those of people, by name. */
export const realOrganizations = (sql: Queries): Promise<Named[]> =>
  sql<Named[]>`select id, name from organizations where id <> ${canaryId} order by name, id`;
