// Rows by their whole keys, whatever organisations they are of.
import type { Queries } from '../database/database.ts';

type Keyed = { readonly organization_id: string; readonly id: string };

/**
 * The keys as a table `k`, to be joined by both columns. Named in conditions instead, the planner
 * may take an index by the organisation alone, which it thinks has as few rows as most have, and
 * go through all rows of one that has many.
 */
export function keyed(sql: Queries, keys: readonly Keyed[]) {
  const organizations = keys.map(({ organization_id }) => organization_id);
  const ids = keys.map(({ id }) => id);
  return sql`unnest(${organizations}::text[], ${ids}::text[]) as k (organization_id, id)`;
}
