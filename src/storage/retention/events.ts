import { firstIdAt } from '../../engine/ids.ts';
import { type Sql, type Transaction, transact } from '../database/database.ts';
import { isIncidentOpen } from './open-incident.ts';
import { noteRemoval, type Outdated } from './removals.ts';

type RemovedSlice = {
  readonly checked: number;
  readonly removed: number;
  readonly last: string | null;
};

/**
 * Yields how many it removed, after each few. Undecided events stay, and those of incidents that go
 * on. Looks at the oldest by their ids, which are in the order of time and have an index.
 */
export async function* removeEvents(
  sql: Sql,
  outdated: Outdated,
  rows: number,
): AsyncGenerator<number, void, undefined> {
  for (let last = ''; ; ) {
    const done = await transact(sql, (tx) => removeSome(tx, { ...outdated, last, rows }));
    if (done.checked > 0) yield done.removed;
    if (done.checked < rows || done.last === null) return;
    last = done.last;
  }
}

type Slice = Outdated & { readonly last: string; readonly rows: number };

async function removeSome(tx: Transaction, slice: Slice): Promise<RemovedSlice> {
  const { organizationId, before, last, rows } = slice;
  const [done = { checked: 0, removed: 0, last: null }] = await tx<RemovedSlice[]>`
    with old as (
      select id, alerts from events
      where organization_id = ${organizationId} and id > ${last} and id < ${firstIdAt(before)}
        and received_at < ${before} and decided_at is not null
      order by id limit ${rows}
    ), removed as (
      delete from events e using old
      where e.organization_id = ${organizationId} and e.id = old.id and not exists (
        select from json_array_elements(old.alerts) alert
        where ${isIncidentOpen(tx, organizationId, tx`alert ->> 'incident_id'`)})
      returning e.id
    )
    select (select count(*) from old) as checked, (select count(*) from removed) as removed,
      (select max(id) from old) as last`;
  await noteRemoval(tx, slice, { kind: 'events', removed: done.removed });
  return done;
}
