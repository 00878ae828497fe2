// When no server took events: noted by servers that are there, and by those that refuse.
import { refusalHeader } from '../../alerts/refused.ts';
import { firstIdAt } from '../../engine/ids.ts';
import type { Refusing } from '../../engine/intake/refused-spells.ts';
import type { Incident } from '../../incidents/incident.ts';
import {
  absentAfter,
  type Spell,
  spellsCountSince,
  spellsEndAfter,
} from '../../incidents/missed-events.ts';
import type { Queries, Sql } from '../database/database.ts';
import { json } from '../records/rows.ts';

/** By incident, as far back as it was last reported. */
export async function deafSpells(
  sql: Queries,
  incidents: readonly Incident[],
  now: Temporal.Instant,
): Promise<ReadonlyMap<string, readonly Spell[]>> {
  const keys = incidents.map((incident) => ({
    id: incident.id,
    organization_id: incident.organization_id,
    integration_id: incident.source_integration_id ?? '',
    since: spellsCountSince(incident, now),
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
      where last_at < ${now.subtract(absentAfter)}
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
export async function notePresence(sql: Queries, now: Temporal.Instant): Promise<void> {
  // Without a lock: rows that the statement itself changes would be left out of what it locks.
  await sql`
    with before as (select last_at from presence), gone as (
      insert into deaf_spells (organization_id, integration_id, from_at, to_at)
      select '', '', last_at, ${now} from before where last_at < ${now.subtract(absentAfter)}
      on conflict do nothing
    )
    insert into presence as p (last_at) values (${now})
    on conflict (id) do update set last_at = greatest(p.last_at, excluded.last_at)`;
}

/**
 * Events of the integrations were refused; a spell ends with the next event that some server took.
 * Answers the integrations of which there is one.
 */
export async function noteRefusing(
  sql: Queries,
  refusing: readonly Refusing[],
): Promise<ReadonlySet<string>> {
  const spells = refusing.map(({ organizationId, integrationId, from, to }) => ({
    organization_id: organizationId,
    integration_id: integrationId,
    // Ids begin with the second, and have an index.
    first_id: firstIdAt(from),
    from_at: from,
    to_at: to,
  }));
  // A row that stands for what was refused is no event, also before it is decided. Clocks go back.
  const taken = await sql<{ readonly integration_id: string }[]>`
    with r as (
      select * from json_to_recordset(${json(sql, spells)}) as r(organization_id text,
        integration_id text, first_id text, from_at timestamptz, to_at timestamptz)
    ), ended as (
      select r.*, (
        select e.received_at from events e
        where e.organization_id = r.organization_id and e.integration_id = r.integration_id
          and e.id >= r.first_id and e.received_at >= r.from_at
          and e.outcome is distinct from 'refused' and e.headers ->> ${refusalHeader}::text is null
        order by e.id limit 1) as taken_at
      from r
    ), stored as (
      insert into deaf_spells as d (organization_id, integration_id, from_at, to_at)
      select organization_id, integration_id, from_at,
        greatest(from_at, least(to_at, taken_at)) from ended
      on conflict (organization_id, integration_id, from_at)
        do update set to_at = greatest(d.to_at, excluded.to_at)
    )
    select integration_id from ended where taken_at is not null`;
  return new Set(taken.map(({ integration_id }) => integration_id));
}

export async function removeDeafSpells(sql: Sql, now: Temporal.Instant): Promise<number> {
  const removed = await sql`delete from deaf_spells where to_at < ${now.subtract(spellsEndAfter)}`;
  return removed.count;
}
