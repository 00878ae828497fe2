// When no server took events: noted by servers that are there, and by those that refuse.
import type { Refusing } from '../../engine/intake/refusals.ts';
import type { Spell } from '../../incidents/deaf.ts';
import type { Incident } from '../../incidents/incident.ts';
import type { Queries, Sql } from '../database.ts';
import { json } from '../records/rows.ts';

/** Longer without a server is a spell; they are noted far more often. */
const ABSENCE = { seconds: 30 } as const;
/** Longer than anything is counted from when it was last reported. */
const RETAINED = { hours: 24 * 400 } as const;

/** By incident, as far back as it was last reported. */
export async function deafSpells(
  sql: Queries,
  incidents: readonly Incident[],
  now: Temporal.Instant,
): Promise<ReadonlyMap<string, readonly Spell[]>> {
  const keys = incidents.map(({ id, organization_id, source_integration_id, escalation }) => ({
    ...{ id, organization_id, integration_id: source_integration_id ?? '' },
    since: escalation.heardAt ?? now.subtract({ hours: 24 }),
  }));
  const rows = await sql<(Spell & { readonly id: string })[]>`
    with k as (
      select * from json_to_recordset(${json(sql, keys)})
        as k(id text, organization_id text, integration_id text, since timestamptz)
    ), spells as (
      select '' as organization_id, '' as integration_id, from_at, to_at from deaf_spells
      where organization_id = '' and integration_id = '' and to_at > (select min(since) from k)
      union all
      select '', '', last_at, ${now}::timestamptz from presence
      where last_at < ${now.subtract(ABSENCE)}
    )
    select k.id, s.from_at as "from", s.to_at as "to" from k
    join spells s on s.to_at > k.since
    union all
    select k.id, d.from_at, d.to_at from k
    join deaf_spells d on d.organization_id = k.organization_id
      and d.integration_id = k.integration_id and d.to_at > k.since
    order by 1, 2, 3`;
  const byIncident = Map.groupBy(rows, ({ id }) => id);
  return new Map(
    [...byIncident].map(([id, spells]) => [id, spells.map(({ from, to }) => ({ from, to }))]),
  );
}

/** Notes that a server is there; if none was for a while, that was a spell. */
export async function notePresence(sql: Sql, now: Temporal.Instant): Promise<void> {
  await sql`
    with before as (select last_at from presence for update), gone as (
      insert into deaf_spells (organization_id, integration_id, from_at, to_at)
      select '', '', last_at, ${now} from before where last_at < ${now.subtract(ABSENCE)}
      on conflict do nothing
    )
    insert into presence as p (last_at) values (${now})
    on conflict (id) do update set last_at = greatest(p.last_at, excluded.last_at)`;
}

/** Events of the integration were refused; the spell ends with the next that a server took. */
export async function noteRefusing(sql: Sql, refusing: Refusing): Promise<void> {
  const { organizationId, integrationId, from, to } = refusing;
  // Ids begin with the second, and have an index.
  const second = Math.floor(from.epochMilliseconds / 1_000);
  const firstId = second.toString(16).padStart(8, '0');
  await sql`
    insert into deaf_spells as d (organization_id, integration_id, from_at, to_at)
    select ${organizationId}, ${integrationId}, ${from}, least(${to}::timestamptz, (
      select e.received_at from events e
      where e.organization_id = ${organizationId} and e.integration_id = ${integrationId}
        and e.id >= ${firstId} and e.received_at >= ${from}
        and e.outcome is distinct from 'refused'
      order by e.id limit 1))
    on conflict (organization_id, integration_id, from_at)
      do update set to_at = greatest(d.to_at, excluded.to_at)`;
}

export async function removeDeafSpells(sql: Sql, now: Temporal.Instant): Promise<number> {
  const removed = await sql`delete from deaf_spells where to_at < ${now.subtract(RETAINED)}`;
  return removed.count;
}
