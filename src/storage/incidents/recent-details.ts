// What the tools of an integration sent with its last alerts.
import type { Queries } from '../database/database.ts';

/** An event may have a thousand alerts. */
const RECENT = { events: 20, alerts: 100 };

/** The details of alerts of its last events, as far as they are stored with an incident. */
export async function recentDetails(
  sql: Queries,
  of: { readonly organizationId: string; readonly integrationId: string },
): Promise<readonly unknown[]> {
  const rows = await sql<{ details: unknown }[]>`
    select coalesce(a.details, i.details) as details
    from (
      select distinct alert->>'incident_id' as incident_id, alert->>'dedup_key' as dedup_key
      from (
        select alerts from events
        where organization_id = ${of.organizationId} and integration_id = ${of.integrationId}
          and decided_at is not null
        order by id desc limit ${RECENT.events}
      ) last
      cross join lateral (
        select alert from json_array_elements(last.alerts) alert
        where alert->>'incident_id' is not null limit ${RECENT.alerts}
      ) each
      limit ${RECENT.alerts}
    ) key
    join incidents i on i.organization_id = ${of.organizationId} and i.id = key.incident_id
    left join incident_alerts a on a.organization_id = i.organization_id and a.incident_id = i.id
      and a.integration_id = ${of.integrationId} and a.dedup_key = key.dedup_key`;
  return rows.map(({ details }) => details);
}
