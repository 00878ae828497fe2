// Incidents in a storm, until a notice to the admins of their team names them.
import type { Changes } from '../../engine/ports/changes.ts';
import type { TeamStorms } from '../../engine/storms.ts';
import { stormBegan } from '../../incidents/storm.ts';
import { incidentsLimits } from '../../limits/incidents.ts';
import type { Queries } from '../database/database.ts';
import type { LedgerContext } from './context.ts';
import { keyed } from './keys.ts';

const pause = { minutes: incidentsLimits.stormNoticePause } as const;

/** The caller holds the locks of the incidents, which are stored. */
export async function noteStorms(
  { sql }: Pick<LedgerContext, 'sql'>,
  entries: Changes['entries'],
  now: Temporal.Instant,
): Promise<void> {
  const began = entries.filter(({ type }) => type === stormBegan);
  if (began.length === 0) return;
  const keys = began.map(({ organization_id, incident_id: id }) => ({ organization_id, id }));
  await sql`
    insert into storms (organization_id, incident_id, team_id, began_at)
    select i.organization_id, i.id, i.team_id, ${now}
    from ${keyed(sql, keys)}
    join incidents i on i.organization_id = k.organization_id and i.id = k.id
    order by i.id
    on conflict (organization_id, incident_id) do nothing`;
}

type Row = Pick<TeamStorms, 'organization_id' | 'team_id'>;

export async function takeStorms(
  { sql }: Pick<LedgerContext, 'sql'>,
  now: Temporal.Instant,
): Promise<TeamStorms | null> {
  const since = now.subtract(pause);
  const [due] = await sql<Row[]>`
    select s.organization_id, s.team_id from storms s
    where not exists (
      select from storm_notices n
      where n.organization_id = s.organization_id and n.team_id = s.team_id
        and n.notified_at > ${since})
    order by s.organization_id, s.team_id limit 1`;
  if (due === undefined) return null;
  const { organization_id, team_id } = due;
  const taken = await sql`
    insert into storm_notices as n (organization_id, team_id, notified_at)
    values (${organization_id}, ${team_id}, ${now})
    on conflict (organization_id, team_id) do update set notified_at = excluded.notified_at
      where n.notified_at <= ${since}
    returning 1`;
  if (taken.length === 0) return null;
  const rows = await sql<{ incident_id: string }[]>`
    select incident_id from storms
    where organization_id = ${organization_id} and team_id = ${team_id}
    order by began_at, incident_id`;
  return { ...due, incidentIds: rows.map(({ incident_id }) => incident_id) };
}

export async function removeStorms(
  { sql }: Pick<LedgerContext, 'sql'>,
  { organization_id, incidentIds }: TeamStorms,
): Promise<void> {
  await sql`
    delete from storms
    where organization_id = ${organization_id} and incident_id = any(${[...incidentIds]})`;
}

/** When the admins of a team are notified next; null: no team has storms. */
export async function nextStorms(sql: Queries): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ at: Temporal.Instant | null }[]>`
    select min(coalesce(
      n.notified_at + make_interval(mins => ${incidentsLimits.stormNoticePause}), s.began_at)) as at
    from (
      select organization_id, team_id, min(began_at) as began_at from storms
      group by organization_id, team_id) s
    left join storm_notices n
      on n.organization_id = s.organization_id and n.team_id = s.team_id`;
  return row?.at ?? null;
}
