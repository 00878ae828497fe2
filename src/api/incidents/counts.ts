import { queryLimits } from '../../limits/queries.ts';
import { count } from '../../resources/declaration/answer.ts';
import { flag, objectOf, optional } from '../../resources/declaration/field.ts';
import type { Sql } from '../../storage/database/database.ts';
import { countIncidents } from '../../storage/incidents/counts.ts';
import { inTeams, teamsParameter } from '../records/list-query.ts';
import { type Call, ok, type Route } from '../route.ts';
import { scopeOf } from './request.ts';

const lately = { hours: 24 } as const;
const most = queryLimits.incidentsSearched.toLocaleString('en');

const counted = {
  triggered: count('The number of triggered incidents.'),
  acknowledged: count('The number of acknowledged incidents.'),
  resolved: count(`The number of incidents resolved in the last ${lately.hours} hours.`),
  complete: flag({
    doc: `Whether all incidents were counted. If false, only the last ${most} open and the last ${most} resolved incidents were.`,
  }),
};

export const includedCounts = optional(
  objectOf(counted, 'With include=counts: the numbers of open and recently resolved incidents.'),
);

const query = { team_id: teamsParameter };

export const countsRoute = ({ sql }: { readonly sql: Sql }): Route => ({
  method: 'GET',
  path: '/incidents/counts',
  tag: 'incidents',
  doc: `Counts open incidents by status, and incidents resolved in the last ${lately.hours} hours.`,
  role: 'viewer',
  query,
  answers: { status: 200, schema: objectOf(counted) },
  handle: async (call) => ok(await countsIn(sql, call)),
});

/** Of the teams that are asked for. */
export const countsIn = (sql: Sql, call: Call) =>
  countIncidents(sql, inTeams(scopeOf(call.caller), call), call.now.subtract(lately));
