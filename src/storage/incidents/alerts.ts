// The alerts of an incident as they are read by people.
import type { Incident, IncidentAlert } from '../../incidents/incident.ts';
import { alertsOf } from '../../incidents/incident-alerts.ts';
import type { Queries } from '../database/database.ts';

export type ListedAlert = Omit<IncidentAlert, 'reporting' | 'content'> & {
  readonly details: unknown;
  readonly links: Incident['links'];
  readonly expires_at: Temporal.Instant | null;
  /** Its place in the list, from 1. */
  readonly cursor: number;
};

/** Those that fire first, each part by age; `after` a place in the list. */
export async function listAlerts(
  sql: Queries,
  incident: Incident,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly ListedAlert[]> {
  if (incident.alerts_total == null) return ownAlert(incident).slice(after, after + limit);
  return sql<ListedAlert[]>`
    select * from (
      select integration_id, dedup_key, title, severity, priority, state, details, links,
        first_at, last_at, times, resolved_at, (reporting->>'expiresAt')::timestamptz as expires_at,
        row_number() over (order by state, first_at, integration_id, dedup_key)::integer as cursor
      from incident_alerts
      where organization_id = ${incident.organization_id} and incident_id = ${incident.id}
    ) numbered
    where cursor > ${after} order by cursor limit ${limit}`;
}

/** That received its alerts, the first to receive one first. */
export async function integrationsOf(sql: Queries, incident: Incident): Promise<readonly string[]> {
  const { organization_id, id, alerts_total, source_integration_id: source } = incident;
  if (alerts_total == null) return source === null ? [] : [source];
  const rows = await sql<{ integration_id: string }[]>`
    select integration_id from incident_alerts
    where organization_id = ${organization_id} and incident_id = ${id}
    group by integration_id order by min(first_at), integration_id`;
  return rows.map(({ integration_id }) => integration_id);
}

/** An incident with one alert is that alert; one that a person opened has none. */
const ownAlert = (incident: Incident): readonly ListedAlert[] =>
  alertsOf(incident).map(({ reporting, content, ...alert }, index) => ({
    ...alert,
    details: content?.details ?? null,
    links: content?.links ?? [],
    expires_at: reporting.expiresAt,
    cursor: index + 1,
  }));
