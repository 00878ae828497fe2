import { type Sql, type Transaction, transact } from '../database/database.ts';
import { isIncidentOpen } from './open-incident.ts';
import { noteRemoval, type Outdated } from './removals.ts';

/** The key of a warning of the monthly limit keeps it from being given again, until that is over. */
const monthOver = { hours: 24 * 62 } as const;

type Place = { readonly finished_at: Temporal.Instant; readonly key: string };
type Removed = {
  readonly checked: number;
  readonly removed: number;
  readonly incident_ids: readonly string[];
  readonly last: { readonly finished_at: string; readonly key: string } | null;
};

/**
 * Yields how many it removed, after each few, their attempts with them. Whoever was paged for an
 * incident that goes on is to hear of its end, and so these pages stay.
 */
export async function* removeNotices(
  sql: Sql,
  outdated: Outdated & { readonly now: Temporal.Instant },
  rows: number,
): AsyncGenerator<number, void, undefined> {
  const { organizationId, now } = outdated;
  for (let after: Place | null = null; ; ) {
    const done: Removed = await transact(sql, async (tx) => {
      const some = await removeSome(tx, { ...outdated, after, rows });
      await noteRemoval(tx, outdated, { kind: 'outbox', removed: some.removed });
      await tx`
        with held as (
          select organization_id, incident_id from timeline_heads
          where organization_id = ${organizationId} and incident_id = any(${[...some.incident_ids]})
          order by incident_id for update
        )
        update timeline_heads h set notices_removed_at = ${now} from held
        where h.organization_id = held.organization_id and h.incident_id = held.incident_id`;
      return some;
    });
    if (done.checked > 0) yield done.removed;
    if (done.checked < rows || done.last === null) return;
    const { finished_at, key } = done.last;
    after = { finished_at: Temporal.Instant.from(finished_at), key };
  }
}

type Slice = Outdated & {
  readonly now: Temporal.Instant;
  readonly after: Place | null;
  readonly rows: number;
};

async function removeSome(tx: Transaction, slice: Slice): Promise<Removed> {
  const { organizationId, before, now, after, rows } = slice;
  const beyond = after && tx`and (finished_at, key) > (${after.finished_at}, ${after.key})`;
  const [done] = await tx<Removed[]>`
    with old as (
      select key, kind, incident_id, finished_at from outbox
      where organization_id = ${organizationId} and finished_at < ${before} ${beyond ?? tx``}
      order by finished_at, key limit ${rows}
    ), free as (
      select o.key from old
      join outbox o on o.organization_id = ${organizationId} and o.key = old.key
      where (old.kind <> 'alert_usage' or old.finished_at < ${now.subtract(monthOver)})
        and not ${isIncidentOpen(tx, organizationId, tx`old.incident_id`)}
      for update of o skip locked
    ), tries as (
      delete from attempts a using free
      where a.organization_id = ${organizationId} and a.key = free.key
    ), gone as (
      delete from outbox o using free
      where o.organization_id = ${organizationId} and o.key = free.key
      returning o.incident_id
    )
    select (select count(*) from old) as checked, (select count(*) from gone) as removed,
      array(select distinct incident_id from gone where incident_id is not null) as incident_ids,
      (select json_build_object('finished_at', finished_at, 'key', key) from old
        order by finished_at desc, key desc limit 1) as last`;
  return done ?? { checked: 0, removed: 0, incident_ids: [], last: null };
}
