import { queryLimits } from '../../limits/queries.ts';
import { count } from '../../resources/declaration/answer.ts';
import { flag, objectOf } from '../../resources/declaration/field.ts';
import type { Sql } from '../../storage/database.ts';
import { countIncidents } from '../../storage/incidents/counts.ts';
import { inTeams, teamsParameter } from '../records/list-query.ts';
import { ok, type Route } from '../route.ts';
import { scopeOf } from './incident-in-path.ts';

const lately = { hours: 24 } as const;
const most = queryLimits.incidentsSearched.toLocaleString('en');

const shape = objectOf({
  triggered: count('How many are triggered.'),
  acknowledged: count('How many are acknowledged.'),
  resolved: count(`How many were resolved in the last ${lately.hours} hours.`),
  complete: flag({
    doc: `Whether all were counted; otherwise only the last ${most} that are open, and the last ${most} that were resolved.`,
  }),
});

const query = { team_id: teamsParameter };

export const countsRoute = ({ sql }: { readonly sql: Sql }): Route => ({
  method: 'GET',
  path: '/incidents/counts',
  tag: 'incidents',
  doc: `Counts incidents that are open, by status, and those resolved in the last ${lately.hours} hours.`,
  role: 'viewer',
  query,
  answers: { status: 200, schema: shape },
  async handle(call) {
    const since = call.now.subtract(lately);
    return ok(await countIncidents(sql, inTeams(scopeOf(call.caller), call), since));
  },
});
