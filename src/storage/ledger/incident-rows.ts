// Incidents as rows, and back.
import type { UnreadableIncident } from '../../engine/ports/incidents.ts';
import { Unreadable } from '../../engine/unreadable.ts';
import { type Incident, wakeAt } from '../../incidents/incident.ts';
import { countAlerts } from '../../incidents/incident-alerts.ts';
import { versioned } from '../../resources/declaration/stored-document.ts';
import type { Queries } from '../database/database.ts';
import type { LedgerContext } from './context.ts';
import { withStoredAlerts } from './incident-alerts.ts';
import { parseEscalation, parseSteps } from './stored-incident.ts';

export type IncidentRow = Omit<Incident, 'escalation' | 'steps' | 'alerts'> & {
  readonly escalation: unknown;
  readonly steps: unknown;
};

/** Throws when what is stored as JSON cannot be read. */
export function incidentOf(row: IncidentRow): Incident {
  const { group_key = null, alerts_firing = null, alerts_total = null, ...rest } = row;
  return {
    ...rest,
    ...(group_key !== null && { group_key }),
    ...(alerts_total !== null && { alerts_firing, alerts_total }),
    steps: parseSteps(row.steps),
    escalation: parseEscalation(row.escalation),
  };
}

/** What the life of an incident can change; the rest is written once. */
export const changingOf = (incident: Incident) => ({
  organization_id: incident.organization_id,
  id: incident.id,
  raw_key: incident.raw_key ?? null,
  title: incident.title,
  links: incident.links,
  team_id: incident.team_id,
  service_id: incident.service_id,
  integration_id: incident.integration_id,
  escalation_policy_id: incident.escalation_policy_id,
  steps: incident.steps,
  status: incident.status,
  priority: incident.priority,
  severity: incident.severity,
  responder_ids: incident.responder_ids,
  suppressed_count: incident.suppressed_count,
  updated_at: incident.updated_at,
  acknowledged_at: incident.acknowledged_at,
  resolved_at: incident.resolved_at,
  resolved_by_timer: incident.resolved_by_timer,
  muted_until: incident.muted_until,
  merged_into_id: incident.merged_into_id,
  group_key: incident.group_key ?? null,
  ...storedCounts(incident),
  verdict: incident.verdict,
  verdict_by: incident.verdict_by,
  verdict_at: incident.verdict_at,
  is_test: incident.is_test,
  escalation: versioned(incident.escalation),
  wake_at: wakeAt(incident),
});

/** Null of an incident with one alert. */
function storedCounts(incident: Incident) {
  const { alerts, alerts_firing = null, alerts_total = null } = incident;
  // Whoever has not read the list leaves it as it is.
  if (alerts === undefined) return { alerts_firing, alerts_total };
  const { firing, total } = countAlerts(incident);
  return { alerts_firing: firing, alerts_total: total };
}

export function rowOf(incident: Incident) {
  const { alerts: _, ...rest } = incident;
  return { ...rest, ...changingOf(incident) };
}

export const columns = [
  'organization_id',
  'id',
  'number',
  'title',
  'status',
  'priority',
  'severity',
  'team_id',
  'service_id',
  'integration_id',
  'source_integration_id',
  'escalation_policy_id',
  'dedup_key',
  'raw_key',
  'details',
  'links',
  'responder_ids',
  'suppressed_count',
  'repeat_count',
  'created_at',
  'updated_at',
  'acknowledged_at',
  'resolved_at',
  'resolved_by_timer',
  'muted_until',
  'merged_into_id',
  'group_key',
  'alerts_firing',
  'alerts_total',
  'verdict',
  'verdict_by',
  'verdict_at',
  'is_test',
  'steps',
  'escalation',
] as const;

type BrokenRow = { readonly row: IncidentRow; readonly error: unknown };

/** Parses rows as incidents; unreadable rows are returned apart. */
export function incidentsIn(rows: readonly IncidentRow[]) {
  const read: Incident[] = [];
  const broken: BrokenRow[] = [];
  for (const row of rows) {
    try {
      read.push(incidentOf(row));
    } catch (error) {
      broken.push({ row, error });
    }
  }
  return { read, broken };
}

/**
 * Without those that cannot be read: an alert to one of them opens another, and people are paged.
 */
export async function readable(
  { sql, faults }: LedgerContext,
  rows: readonly IncidentRow[],
  unreadable?: (incident: UnreadableIncident) => void,
): Promise<readonly Incident[]> {
  const { read, broken } = incidentsIn(rows);
  for (const { row, error } of broken) {
    faults({ of: 'incident', id: row.id, error });
    const { id, team_id, number } = row;
    unreadable?.({ id, team_id, error: new Unreadable(`INC-${number}`, error) });
  }
  return withStoredAlerts(sql, read, severalIn(rows));
}

/** The ids of those that have several alerts. */
export const severalIn = (
  rows: readonly Pick<IncidentRow, 'id' | 'alerts_total'>[],
): ReadonlySet<string> =>
  new Set(rows.flatMap(({ id, alerts_total: total }) => (total == null ? [] : [id])));

/** Of incidents `i` of one organization. Ids of several servers do not show which was opened last. */
export const newestFirst = (sql: Queries) => sql`i.number desc`;
