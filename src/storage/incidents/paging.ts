// Whether anybody was reached for triggered incidents, by the pages of the round that runs.
import { type Incident, noCycle, pageKinds } from '../../incidents/incident.ts';
import type { RoundPages } from '../../incidents/paging-state.ts';
import { queryLimits } from '../../limits/queries.ts';
import type { Queries } from '../database/database.ts';
import { inScope, type Scope } from '../records/queries.ts';

/** Whom a page reached; a chat has no id. */
export type Reached = { readonly user_id?: string; readonly name: string };

type Round = RoundPages & { readonly reached: readonly Reached[] };

/** By the id of the incident; without those that have no such page. */
export async function roundPages(
  sql: Queries,
  organizationId: string,
  incidents: readonly Incident[],
): Promise<ReadonlyMap<string, Round>> {
  const triggered = incidents.filter(({ status }) => status === 'triggered');
  if (triggered.length === 0) return new Map();
  const ids = triggered.map(({ id }) => id);
  const cycles = triggered.map(({ escalation }) => escalation.cycle);
  const rows = await sql<(Round & { id: string })[]>`
    select i.id,
      max(o.finished_at) filter (where o.state = 'sent' and o.kind = 'page') as "sentAt",
      bool_or(o.state = 'sent' and o.kind <> 'page') as "isAdminNotified",
      bool_or(o.state = 'pending') as "isPending",
      coalesce(jsonb_path_query_array(
        jsonb_agg(distinct jsonb_strip_nulls(jsonb_build_object(
          'user_id', o.user_id, 'name', o.notice->>'recipient'))) filter (
            where o.state = 'sent' and o.notice->>'recipient' is not null),
        ${`$[0 to ${queryLimits.reachedNamed - 1}]`}::text::jsonpath), '[]') as reached
    from unnest(${ids}::text[], ${cycles}::integer[]) as i (id, cycle)
    join outbox o on o.organization_id = ${organizationId} and o.incident_id = i.id
      and o.kind = any(${[...pageKinds]}) and o.cycle in (i.cycle, ${noCycle})
    group by i.id`;
  return new Map(rows.map(({ id, ...pages }) => [id, pages]));
}

export type NotReached = {
  readonly incidents: number;
  /** The number of the newest of them. */
  readonly newest: number;
};

/** The newest of the triggered incidents that `pagingState` calls `nobody_reached`. */
export async function readNotReached(sql: Queries, scope: Scope): Promise<NotReached | null> {
  // Compared as text, so that one incident that cannot be read does not hide the others.
  const [row] = await sql<[{ incidents: number; newest: number | null }]>`
    select count(*)::integer as incidents, max(number) as newest
    from (
      select organization_id, id, number, escalation->>'cycle' as cycle
      from (
        select * from incidents
        where organization_id = ${scope.organizationId} and status <> 'resolved'
        order by number desc limit ${queryLimits.attentionSearched}) as newest
      where ${inScope(sql, scope)} and status = 'triggered' and muted_until is null
        and (escalation->>'nextStep' <> '0' or escalation->>'stepAt' is null)) as i
    where not exists (
      select from outbox o
      where o.organization_id = i.organization_id and o.incident_id = i.id
        and o.kind = any(${[...pageKinds]}) and o.state in ('sent', 'pending')
        and o.cycle::text in (i.cycle, ${`${noCycle}`}))`;
  return row.newest === null ? null : { incidents: row.incidents, newest: row.newest };
}
