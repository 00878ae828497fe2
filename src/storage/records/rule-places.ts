// Where the routing rules of an organization run among those of their teams.
import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import type { Queries } from '../database/database.ts';

type RulePlace = { readonly position: number | null; readonly counter: number };

/** By the id of the rule. */
export async function readRulePlaces(
  sql: Queries,
  organizationId: string,
): Promise<ReadonlyMap<string, RulePlace>> {
  const rows = await sql<(RulePlace & { readonly id: string })[]>`
    select id, position, counter from ${sql(alertRoutingRule.table)}
    where organization_id = ${organizationId} and archived_at is null`;
  return new Map(rows.map(({ id, ...place }) => [id, place]));
}
