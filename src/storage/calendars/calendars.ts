// What calendars show of schedules and people besides the shifts.
import type { Queries } from '../database/database.ts';
import { json } from '../records/rows.ts';

type IdsQuery = { readonly organizationId: string; readonly ids: readonly string[] };

export type LastChange = {
  readonly id: string;
  /** Edits of who is on call, so far. */
  readonly edits: number;
  /** When anything of the schedule was last changed. */
  readonly changedAt: Temporal.Instant;
};

/** By the schedule's id. */
export async function readLastChanges(
  sql: Queries,
  { organizationId, ids }: IdsQuery,
): Promise<ReadonlyMap<string, LastChange>> {
  const rows = await sql<LastChange[]>`
    select s.id, w.edits, greatest(w.edited_at, s.updated_at) as "changedAt"
    from oncall_schedules s
    join shift_cursors w
      on w.organization_id = s.organization_id and w.oncall_schedule_id = s.id
    where s.organization_id = ${organizationId}
      and s.id in (select json_array_elements_text(${json(sql, ids)}))`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** When anything of a person, such as the name, was last changed; by id. */
export async function readPeopleChanges(
  sql: Queries,
  { organizationId, ids }: IdsQuery,
): Promise<ReadonlyMap<string, Temporal.Instant>> {
  const rows = await sql<{ id: string; changedAt: Temporal.Instant }[]>`
    select id, updated_at as "changedAt" from users
    where organization_id = ${organizationId}
      and id in (select json_array_elements_text(${json(sql, ids)}))`;
  return new Map(rows.map(({ id, changedAt }) => [id, changedAt]));
}

/** The current comments of overrides by id; overrides without a comment are absent. */
export async function readComments(
  sql: Queries,
  { organizationId, ids }: IdsQuery,
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ id: string; comment: string | null }[]>`
    select distinct on (id) id, comment from oncall_overrides
    where organization_id = ${organizationId}
      and id in (select json_array_elements_text(${json(sql, ids)}))
    order by id, number desc`;
  return new Map(rows.flatMap(({ id, comment }) => (comment === null ? [] : [[id, comment]])));
}
