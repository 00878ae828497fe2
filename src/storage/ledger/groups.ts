// Open incidents that alerts may join. Where alerts of several integrations join one incident, whoever
// decides for the team does so alone: the locks of the integrations do not keep two servers apart.
import { type Group, groupTextOf, type Key, type OpenGroups } from '../../engine/ports/keys.ts';
import { teamsGroupingAcross } from '../../incidents/group-key.ts';
import { incidentsLimits } from '../../limits/incidents.ts';
import { columnList } from '../database/columns.ts';
import type { Queries } from '../database/database.ts';
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
  // Sent before what follows, and so locked before it.
  const teams = lockTeams(
    sql,
    groups.flatMap(({ organization_id, acrossTeam }) =>
      acrossTeam === undefined ? [] : [`${organization_id} ${acrossTeam}`],
    ),
  );
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
  const [rules, rows] = await Promise.all([inForce, locked, teams]);
  if (rules.length === 0) return null;
  const incidents = await readable(context, rows);
  const byGroup = Map.groupBy(incidents, (one) => groupTextOf(one) ?? '');
  return new Map(
    [...byGroup].map(([text, own]) => [text, own.toSorted((a, b) => b.number - a.number)]),
  );
}

/** By the configurations that this server holds, which may be older than what is stored. */
export async function lockGroupingTeams(
  { sql, configurations }: Pick<LedgerContext, 'sql' | 'configurations'>,
  integrations: readonly Key[],
): Promise<void> {
  const byOrganization = Map.groupBy(integrations, ({ organization_id }) => organization_id);
  const teams = [...byOrganization].flatMap(([id, own]) => {
    const held = configurations.held(id);
    const ids = own.map(({ integration_id }) => integration_id);
    return held ? [...teamsGroupingAcross(held, ids)].map((team) => `${id} ${team}`) : [];
  });
  await lockTeams(sql, teams);
}

/** In one order; those that the transaction holds already are passed over. */
async function lockTeams(sql: Queries, teams: readonly string[]): Promise<void> {
  if (teams.length === 0) return;
  await sql`
    select pg_advisory_xact_lock(hashtextextended('grouping ' || t.key, 0))
    from unnest(${[...new Set(teams)].sort()}::text[]) with ordinality as t (key, place)
    order by t.place`;
}
