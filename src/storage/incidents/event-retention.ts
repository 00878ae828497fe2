// Events that have been kept long enough are removed, a few at a time.
import { firstIdAt } from '../../engine/ids.ts';
import type { Sql } from '../database.ts';

export type EventRetention = {
  /** Goes on where the last run stopped; after the last organisation it begins anew. */
  run(now: Temporal.Instant): Promise<{ readonly removed: number; readonly isAll: boolean }>;
};

const rowsPerRun = 500;

/** Undecided events stay, and those of incidents that are not resolved. */
export function createEventRetention(sql: Sql, days: number, rows = rowsPerRun): EventRetention {
  let organizationDone = '';
  let eventDone = '';
  return {
    async run(now) {
      const [organization] = await sql<{ id: string }[]>`
        select id from organizations where id > ${organizationDone} order by id limit 1`;
      if (!organization) {
        organizationDone = '';
        return { removed: 0, isAll: true };
      }
      const before = now.subtract({ hours: 24 * days });
      const slice = { organizationId: organization.id, after: eventDone, before, rows };
      const { removed, looked, last } = await removeSome(sql, slice);
      const isEnd = looked < rows || last === null;
      if (isEnd) organizationDone = organization.id;
      eventDone = isEnd ? '' : last;
      return { removed, isAll: false };
    },
  };
}

type Slice = {
  readonly organizationId: string;
  readonly after: string;
  readonly before: Temporal.Instant;
  readonly rows: number;
};
type Removed = { readonly looked: number; readonly removed: number; readonly last: string | null };

/** Looks at the oldest by their ids, which are in the order of time and have an index. */
async function removeSome(sql: Sql, slice: Slice): Promise<Removed> {
  const { organizationId, after, before, rows } = slice;
  const [done = { looked: 0, removed: 0, last: null }] = await sql<Removed[]>`
    with old as (
      select id, received_at, alerts from events
      where organization_id = ${organizationId} and id > ${after} and id < ${firstIdAt(before)}
        and received_at < ${before} and decided_at is not null
      order by id limit ${rows}
    ), removed as (
      delete from events e using old
      where e.organization_id = ${organizationId} and e.id = old.id
        and e.received_at = old.received_at and not exists (
          select from json_array_elements(old.alerts) alert
          join incidents i on i.organization_id = ${organizationId}
            and i.id = alert ->> 'incident_id'
          where i.status <> 'resolved')
      returning e.id
    )
    select (select count(*) from old) as looked, (select count(*) from removed) as removed,
      (select max(id) from old) as last`;
  return done;
}
