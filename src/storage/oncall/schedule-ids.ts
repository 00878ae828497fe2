import type { Queries } from '../database.ts';
import { inScope, type Scope } from '../records/queries.ts';

export type ScheduleIdsQuery = {
  readonly scope: Scope;
  readonly teamId: string | null;
  /** Only schedules that ever named this person, in a layer or an override. */
  readonly naming: string | null;
  /** Also those that were archived after it. */
  readonly activeAfter?: Temporal.Instant;
  /** Only schedules numbered above it. */
  readonly after: number;
  readonly limit: number;
};

/** Active schedules by counter. */
export async function listScheduleIds(
  sql: Queries,
  { scope, teamId, naming, activeAfter, after, limit }: ScheduleIdsQuery,
): Promise<readonly { readonly id: string; readonly counter: number }[]> {
  return sql<{ id: string; counter: number }[]>`
    select id, counter from oncall_schedules s
    where ${inScope(sql, scope)} and counter > ${after}
      and (archived_at is null or archived_at > ${activeAfter ?? null})
      ${teamId === null ? sql`` : sql`and team_id = ${teamId}`}
      ${naming === null ? sql`` : sql`and ${isNamed(sql, naming)}`}
    order by counter limit ${limit}`;
}

// Limited subqueries are asked per schedule, by its index; an `exists` might read the whole table.
const isNamed = (sql: Queries, userId: string) => sql`coalesce(
  (select true from schedule_revisions r where r.organization_id = s.organization_id
    and r.oncall_schedule_id = s.id and strpos(r.layers::text, ${userId}) > 0 limit 1),
  (select true from oncall_overrides o where o.organization_id = s.organization_id
    and o.oncall_schedule_id = s.id and o.user_id = ${userId} limit 1))`;
