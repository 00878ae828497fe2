// Incidents that are due or named by their ids, locked, and those that cannot be decided.
import { postponeMinutes } from '../../engine/faults.ts';
import { failureOf } from '../../engine/log.ts';
import type { IncidentKey, UnreadableIncident } from '../../engine/ports/incidents.ts';
import { type Incident, minutesAfter } from '../../incidents/incident.ts';
import { alertsOf } from '../../incidents/incident-alerts.ts';
import { columnList } from '../database/columns.ts';
import type { Queries } from '../database/database.ts';
import { notifyOfUndecided } from '../outbox/admins.ts';
import type { LedgerContext } from './context.ts';
import { incidentsOfKeys, withStoredAlerts } from './incident-alerts.ts';
import { columns, type IncidentRow, incidentsIn, readable, severalIn } from './incident-rows.ts';
import { keyed } from './keys.ts';
import { insertTimeline } from './timeline.ts';

export async function dueIncidents(
  context: LedgerContext,
  now: Temporal.Instant,
  limit: number,
): Promise<readonly Incident[]> {
  const { sql } = context;
  const rows = await sql<IncidentRow[]>`
    select ${columnList(sql, columns)} from incidents where wake_at <= ${now}
    order by wake_at limit ${limit} for update skip locked`;
  const { read, broken } = incidentsIn(rows);
  for (const { row, error } of broken) await postponeIncident(context, row, { error, now });
  return withStoredAlerts(sql, read, severalIn(rows));
}

/**
 * Makes the incident due again in ten minutes, with a timeline entry. Admins are notified once
 * until it changes.
 */
export async function postponeIncident(
  context: LedgerContext,
  { organization_id, id }: IncidentKey,
  { error, now }: { readonly error: unknown; readonly now: Temporal.Instant },
): Promise<void> {
  const { sql, faults } = context;
  faults({ of: 'incident', id, error });
  const reason = failureOf(error);
  const text = `Could not be processed. Pager retries in ${postponeMinutes} minutes: ${reason}`;
  const entry = { incident_id: id, type: 'undecided', text, actor: null, details: null };
  const [row] = await sql<PostponedRow[]>`
    update incidents set wake_at = ${minutesAfter(now, postponeMinutes)}
    where organization_id = ${organization_id} and id = ${id} and status <> 'resolved'
    returning team_id, number, title, updated_at`;
  if (row === undefined) return;
  await insertTimeline(context, { entries: [{ organization_id, ...entry }], at: now });
  const { team_id, number, title, updated_at } = row;
  const since = `${updated_at.epochMilliseconds}`;
  const undecided = { of: 'incident', id, name: `INC-${number} ${title}`, reason } as const;
  await notifyOfUndecided(context, { organization_id, team_id, since, ...undecided }, now);
}

type PostponedRow = Pick<Incident, 'team_id' | 'number' | 'title' | 'updated_at'>;

type IncidentLock = {
  readonly organizationId: string;
  readonly ids: readonly string[];
  readonly unreadable?: ((incident: UnreadableIncident) => void) | undefined;
};

export async function lockIncidents(
  context: LedgerContext,
  { organizationId, ids, unreadable }: IncidentLock,
): Promise<readonly Incident[]> {
  const { sql } = context;
  const keys = [...new Set(ids)].map((id) => ({ organization_id: organizationId, id }));
  const rows = await sql<IncidentRow[]>`
    select ${columnList(sql, columns, 'i')} from ${keyed(sql, keys)}
    join incidents i on i.organization_id = k.organization_id and i.id = k.id
    order by i.id for update of i`;
  return readable(context, rows, unreadable);
}

export async function anotherIsOpen({ sql }: LedgerContext, incident: Incident): Promise<boolean> {
  // The integration's lock keeps an event of this key from opening one at the same time.
  await sql`
    select 1 from integrations
    where organization_id = ${incident.organization_id} and id = ${incident.source_integration_id}
    for no key update`;
  return leadsToAnother(sql, incident);
}

/** Whether another incident is open that alerts of its key belong to. */
export async function leadsToAnother(sql: Queries, incident: Incident): Promise<boolean> {
  const { source_integration_id: source, dedup_key } = incident;
  // What a person has opened is alone under its key.
  const ofKey =
    source === null
      ? sql`id = ${incident.id}`
      : sql`source_integration_id = ${source} and dedup_key = ${dedup_key}`;
  const rows = await sql`
    with recursive led as (
      select organization_id, id, status, merged_into_id from incidents
      where organization_id = ${incident.organization_id} and ${ofKey}
        and (status <> 'resolved' or merged_into_id is not null)
      union
      select i.organization_id, i.id, i.status, i.merged_into_id from led
      join incidents i on i.organization_id = led.organization_id and i.id = led.merged_into_id
    )
    select from led where status <> 'resolved' and id <> ${incident.id} limit 1`;
  if (rows.length > 0) return true;
  const keys = alertsOf(incident).map(({ integration_id, dedup_key }) => ({
    organization_id: incident.organization_id,
    integration_id,
    dedup_key,
  }));
  const others = await incidentsOfKeys(sql, keys);
  return others.some(({ id }) => id !== incident.id);
}
