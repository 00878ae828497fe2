import type { AttemptRow, ListedIncident, NoticeRow } from '../../storage/incidents/incidents.ts';

/** An incident as the API answers it: absent is absent. */
export function incidentShown(
  incident: ListedIncident,
  publicUrl: string,
): Record<string, unknown> {
  const shown: Record<string, unknown> = {
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
    suppressed_count: incident.suppressed_count,
    repeat_count: incident.repeat_count,
    created_at: timeShown(incident.created_at),
    updated_at: timeShown(incident.updated_at),
    acknowledged_at: timeShown(incident.acknowledged_at),
    resolved_at: timeShown(incident.resolved_at),
    resolved_by_timer: incident.resolved_by_timer,
    muted_until: timeShown(incident.muted_until),
    merged_into_id: incident.merged_into_id,
    url: `${publicUrl}/incidents/${incident.number}`,
  };
  return withoutNulls(shown);
}

export const noticeShown = (notice: NoticeRow): Record<string, unknown> =>
  withoutNulls({
    ...notice,
    created_at: timeShown(notice.created_at),
    finished_at: timeShown(notice.finished_at),
    attempts: notice.attempts.map(attemptShown),
  });

const attemptShown = (attempt: AttemptRow) => ({
  ...attempt,
  claimed_at: timeIn(attempt.claimed_at),
  finished_at: attempt.finished_at && timeIn(attempt.finished_at),
});

const timeIn = (text: string) => timeShown(Temporal.Instant.from(text));

/** ISO 8601 in UTC with milliseconds. */
export const timeShown = (at: Temporal.Instant | null): string | null =>
  at?.toString({ smallestUnit: 'millisecond' }) ?? null;

export const withoutNulls = (shown: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null));
