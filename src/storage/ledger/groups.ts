// Open incidents that alerts may join.
import { type Group, groupTextOf, type OpenGroups } from '../../engine/ports/keys.ts';
import { incidentsLimits } from '../../limits/incidents.ts';
import { columnList } from '../database/columns.ts';
import { json } from '../records/rows.ts';
import type { LedgerContext } from './context.ts';
import { columns, type IncidentRow, newestFirst, readable } from './incident-rows.ts';

/**
 * Locked in the order of their ids, the newest of each group first; by the text of the group. Null
 * before the rules of this release are in force: a server of the release before does not know that a
 * key may belong to an incident that was opened for another.
 */
export async function lockGroups(
  context: LedgerContext,
  groups: readonly Group[],
): Promise<OpenGroups | null> {
  const { sql } = context;
  if (groups.length === 0) return new Map();
  const inForce = sql`select from schedule_rules where in_force_from is not null`;
  const locked = sql<IncidentRow[]>`
    select ${columnList(sql, columns, 'i')}
    from json_to_recordset(${json(sql, groups)}) as g(organization_id text, group_key text)
    cross join lateral (
      select organization_id, id from incidents i
      where i.organization_id = g.organization_id and i.group_key = g.group_key
        and i.group_key is not null and i.status <> 'resolved'
      order by ${newestFirst(sql)} limit ${incidentsLimits.groupCandidates}
    ) newest
    join incidents i on i.organization_id = newest.organization_id and i.id = newest.id
    order by i.id for update of i`;
  const [rules, rows] = await Promise.all([inForce, locked]);
  if (rules.length === 0) return null;
  const incidents = await readable(context, rows);
  const byGroup = Map.groupBy(incidents, (one) => groupTextOf(one) ?? '');
  return new Map(
    [...byGroup].map(([text, own]) => [text, own.toSorted((a, b) => b.number - a.number)]),
  );
}
