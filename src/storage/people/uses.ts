// What still uses a person: the records that name them, and the overrides that put them on call.
import type { Queries } from '../database/database.ts';
import type { Use } from '../records/record-hooks.ts';
import { usesOf } from '../records/uses.ts';

type UsedPerson = {
  readonly organizationId: string;
  readonly id: string;
  /** Overrides that have ended use nobody any more. */
  readonly now: Temporal.Instant;
};

export type PersonUse = Use & {
  /** Of an override. */
  readonly scheduleId?: string;
};

/** A cover of the person is none: it stays when they leave. */
export async function usesOfPerson(
  sql: Queries,
  { organizationId, id, now }: UsedPerson,
): Promise<readonly PersonUse[]> {
  const records = await usesOf(sql, { organizationId, kind: 'user', id });
  const overrides = await sql<PersonUse[]>`
    select 'override' as kind, o.id, s.name, s.team_id as "teamId", null as "managedBy",
      s.id as "scheduleId"
    from oncall_overrides o join oncall_schedules s
      on s.organization_id = o.organization_id and s.id = o.oncall_schedule_id
    where o.organization_id = ${organizationId} and o.user_id = ${id}
      and o.in_force_until is null and o.end_at > ${now} and s.archived_at is null
    order by s.counter, o.start_at, o.id`;
  return [...records, ...overrides];
}
