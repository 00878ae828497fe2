import type { Fragment } from 'postgres';
import type { Queries } from '../database/database.ts';

/** Whether the incident, or what it was merged into, however often, is not resolved. */
export const isIncidentOpen = (sql: Queries, organizationId: string, incidentId: Fragment) => sql`
  exists (
    select from incidents own
    where own.organization_id = ${organizationId} and own.id = ${incidentId}
      and (own.status <> 'resolved' or own.merged_into_id is not null and exists (
        with recursive led as (
          select own.merged_into_id as id
          union
          select i.merged_into_id from led
          join incidents i on i.organization_id = ${organizationId} and i.id = led.id
        )
        select from led
        join incidents i on i.organization_id = ${organizationId} and i.id = led.id
        where i.status <> 'resolved')))`;
