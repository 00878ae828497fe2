import { alertIdOf } from '../../incidents/incident-alerts.ts';
import type { Sql } from '../../storage/database/database.ts';
import { pageBy } from '../../storage/database/page.ts';
import { listAlerts } from '../../storage/incidents/alerts.ts';
import { paging, readNumberedPaging } from '../records/list-query.ts';
import { ok, type Route } from '../route.ts';
import { timeOrNull, withoutNulls } from './render.ts';
import { incidentInPath } from './request.ts';
import { alertsShape } from './shapes.ts';

export function alertsRoute({ sql }: { readonly sql: Sql }): Route {
  return {
    method: 'GET',
    path: '/incidents/:id/alerts',
    tag: 'incidents',
    doc: 'Lists the alerts of an incident, active ones first. An incident has several if alerts were grouped or incidents merged, and none if a person opened it.',
    role: 'viewer',
    query: paging,
    answers: { status: 200, schema: alertsShape },
    async handle(call) {
      const incident = await incidentInPath(sql, call);
      const { limit, cursor } = readNumberedPaging(call.query);
      const rows = await listAlerts(sql, incident, { after: cursor ?? 0, limit: limit + 1 });
      const { data, next_cursor } = pageBy(rows, limit, (row) => row.cursor);
      return ok({
        data: data.map((row) =>
          withoutNulls({
            id: alertIdOf(row),
            ...row,
            cursor: String(row.cursor),
            first_at: timeOrNull(row.first_at),
            last_at: timeOrNull(row.last_at),
            resolved_at: timeOrNull(row.resolved_at),
            expires_at: timeOrNull(row.expires_at),
          }),
        ),
        next_cursor,
      });
    },
  };
}
