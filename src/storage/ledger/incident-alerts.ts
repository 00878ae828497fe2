// The alerts of incidents that have several, one row for each.
import type { MovedAlert } from '../../engine/ports/changes.ts';
import { type Key, keyText } from '../../engine/ports/keys.ts';
import type { Incident, IncidentAlert } from '../../incidents/incident.ts';
import { isOpen } from '../../incidents/incident.ts';
import { alertIdOf } from '../../incidents/incident-alerts.ts';
import { versioned } from '../../resources/declaration/stored-document.ts';
import type { Queries } from '../database/database.ts';
import { json } from '../records/rows.ts';
import type { LedgerContext } from './context.ts';
import { keyed } from './keys.ts';
import { parseReporting } from './stored-incident.ts';

type AlertRow = Omit<IncidentAlert, 'reporting' | 'content'> & {
  readonly organization_id: string;
  readonly incident_id: string;
  readonly reporting: unknown;
};

/** Alerts as they are stored, by the incident that has them: one that changed or moved is written. */
const stored = new WeakMap<IncidentAlert, string>();

/** With the alerts of those that have several, without what their tools sent. */
export async function withStoredAlerts(
  sql: Queries,
  incidents: readonly Incident[],
  several: ReadonlySet<string>,
): Promise<readonly Incident[]> {
  const keys = incidents.filter(({ id }) => several.has(id));
  if (keys.length === 0) return incidents;
  const rows = await sql<AlertRow[]>`
    select a.organization_id, a.incident_id, a.integration_id, a.dedup_key, a.title, a.severity,
      a.priority, a.state, a.first_at, a.last_at, a.times, a.resolved_at, a.reporting
    from ${keyed(sql, keys)}
    join incident_alerts a on a.organization_id = k.organization_id and a.incident_id = k.id
    order by a.first_at, a.dedup_key collate "C", a.integration_id collate "C"`;
  const byIncident = Map.groupBy(rows, ({ incident_id }) => incident_id);
  return incidents.map((incident) => {
    const own = byIncident.get(incident.id);
    return own === undefined ? incident : { ...incident, alerts: own.map(alertOf) };
  });
}

function alertOf({ organization_id: _, incident_id, reporting, ...row }: AlertRow) {
  const alert: IncidentAlert = { ...row, reporting: parseReporting(reporting) };
  stored.set(alert, incident_id);
  return alert;
}

/** Of the keys that belong to an open incident with several alerts, the ids of these incidents. */
export async function incidentsOfKeys(
  sql: Queries,
  keys: readonly Key[],
): Promise<
  readonly { readonly key: string; readonly organization_id: string; readonly id: string }[]
> {
  const rows = await sql<(Omit<Key, 'isTimed'> & { readonly incident_id: string })[]>`
    select k.organization_id, k.integration_id, k.dedup_key, a.incident_id
    from json_to_recordset(${json(sql, keys)})
      as k(organization_id text, integration_id text, dedup_key text)
    join incident_alerts a on a.organization_id = k.organization_id
      and a.integration_id = k.integration_id and a.dedup_key = k.dedup_key and a.is_open`;
  return rows.map(({ incident_id: id, ...key }) => ({
    key: keyText(key),
    organization_id: key.organization_id,
    id,
  }));
}

/** Those that were changed, and for all whether their incident is open. */
export async function saveAlerts(
  { sql }: Pick<LedgerContext, 'sql'>,
  incidents: readonly Incident[],
  split: readonly MovedAlert[],
): Promise<void> {
  const several = incidents.filter(({ alerts }) => alerts !== undefined);
  if (several.length === 0) return;
  const rows = several.flatMap((incident) =>
    (incident.alerts ?? [])
      .filter((alert) => stored.get(alert) !== incident.id)
      .map((alert) => rowOf(incident, alert)),
  );
  const moved = split.length > 0 && removeAlerts(sql, split);
  const states = several.map((incident) => ({
    organization_id: incident.organization_id,
    id: incident.id,
    is_open: isOpen(incident),
  }));
  await Promise.all([
    moved,
    rows.length > 0 &&
      sql`
        insert into incident_alerts as a (organization_id, incident_id, integration_id, dedup_key,
          title, severity, priority, state, is_open, details, links, first_at, last_at, times,
          resolved_at, reporting)
        select organization_id, incident_id, integration_id, dedup_key, title, severity, priority,
          state, is_open, details, coalesce(links, '[]'), first_at, last_at, times, resolved_at,
          reporting
        from json_populate_recordset(null::incident_alerts, ${json(sql, rows)})
        on conflict (organization_id, incident_id, integration_id, dedup_key) do update
        set title = excluded.title, severity = excluded.severity, priority = excluded.priority,
          state = excluded.state, last_at = excluded.last_at, times = excluded.times,
          resolved_at = excluded.resolved_at, reporting = excluded.reporting`,
    sql`
      update incident_alerts a set is_open = r.is_open
      from json_to_recordset(${json(sql, states)})
        as r(organization_id text, id text, is_open boolean)
      where a.organization_id = r.organization_id and a.incident_id = r.id
        and a.is_open <> r.is_open`,
  ]);
}

const removeAlerts = (sql: Queries, alerts: readonly MovedAlert[]) => sql`
  delete from incident_alerts a
  using json_to_recordset(${json(sql, alerts)})
    as m(organization_id text, incident_id text, integration_id text, dedup_key text)
  where a.organization_id = m.organization_id and a.incident_id = m.incident_id
    and a.integration_id = m.integration_id and a.dedup_key = m.dedup_key`;

/** The incident with what the tools of its alerts sent, to be stored with another incident. */
export async function withContents(sql: Queries, incident: Incident): Promise<Incident> {
  if (incident.alerts === undefined) return incident;
  type Row = Pick<IncidentAlert, 'integration_id' | 'dedup_key'> &
    NonNullable<IncidentAlert['content']>;
  const rows = await sql<Row[]>`
    select integration_id, dedup_key, details, links from incident_alerts
    where organization_id = ${incident.organization_id} and incident_id = ${incident.id}`;
  const contents = new Map(
    rows.map(({ details, links, ...key }) => [alertIdOf(key), { details, links }]),
  );
  const alerts = incident.alerts.map((alert) => {
    const content = contents.get(alertIdOf(alert));
    return content ? { ...alert, content } : alert;
  });
  return { ...incident, alerts };
}

const rowOf = (incident: Incident, { content, reporting, ...alert }: IncidentAlert) => ({
  ...alert,
  organization_id: incident.organization_id,
  incident_id: incident.id,
  is_open: isOpen(incident),
  details: content?.details ?? null,
  links: content?.links ?? null,
  reporting: versioned(reporting),
});
