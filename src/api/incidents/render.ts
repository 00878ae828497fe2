import { countAlerts } from '../../incidents/incident-alerts.ts';
import type { ListedIncident } from '../../storage/incidents/incidents.ts';

/** An incident as the API answers it: absent is absent. */
export function renderIncident(
  incident: ListedIncident,
  publicUrl: string,
): Record<string, unknown> {
  const alerts = countAlerts(incident);
  const rendered: Record<string, unknown> = {
    id: incident.id,
    number: incident.number,
    title: incident.title,
    status: incident.status,
    priority: incident.priority,
    severity: incident.severity,
    team_id: incident.team_id,
    service_id: incident.service_id,
    integration_id: incident.integration_id,
    source_integration_id: incident.source_integration_id,
    escalation_policy_id: incident.escalation_policy_id,
    dedup_key: incident.dedup_key,
    details: incident.details,
    links: incident.links,
    responder_ids: incident.responder_ids,
    alerts_firing: alerts.firing,
    alerts_total: alerts.total,
    suppressed_count: incident.suppressed_count,
    repeat_count: incident.repeat_count,
    created_at: timeOrNull(incident.created_at),
    updated_at: timeOrNull(incident.updated_at),
    acknowledged_at: timeOrNull(incident.acknowledged_at),
    resolved_at: timeOrNull(incident.resolved_at),
    resolved_by_timer: incident.resolved_by_timer,
    muted_until: timeOrNull(incident.muted_until),
    merged_into_id: incident.merged_into_id,
    verdict: incident.verdict,
    verdict_by: incident.verdict_by,
    verdict_at: timeOrNull(incident.verdict_at),
    test: incident.is_test,
    url: `${publicUrl}/incidents/${incident.number}`,
  };
  return withoutNulls(rendered);
}

/** ISO 8601 in UTC with milliseconds. */
export const timeOrNull = (at: Temporal.Instant | null): string | null =>
  at?.toString({ smallestUnit: 'millisecond' }) ?? null;

export const withoutNulls = (
  rendered: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(rendered).filter(([, value]) => value !== null));

/** Null when it fails: one thing that cannot be foreseen must not keep the rest from being answered. */
export function attempted<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
