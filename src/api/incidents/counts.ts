import { queryLimits } from '../../limits/queries.ts';
import { count } from '../../resources/declaration/answer.ts';
import { flag, objectOf, optional } from '../../resources/declaration/field.ts';
import type { Sql } from '../../storage/database.ts';
import { countIncidents } from '../../storage/incidents/counts.ts';
import { inTeams, teamsParameter } from '../records/list-query.ts';
import { type Call, ok, type Route } from '../route.ts';
import { scopeOf } from './incident-in-path.ts';

const lately = { hours: 24 } as const;
const most = queryLimits.incidentsSearched.toLocaleString('en');

const counted = {
  triggered: count('How many are triggered.'),
  acknowledged: count('How many are acknowledged.'),
  resolved: count(`How many were resolved in the last ${lately.hours} hours.`),
  complete: flag({
    doc: `Whether all were counted; otherwise only the last ${most} that are open, and the last ${most} that were resolved.`,
  }),
};

export const includedCounts = optional(
  objectOf(counted, 'With include=counts: how many incidents are open, and were resolved lately.'),
);

const query = { team_id: teamsParameter };

export const countsRoute = ({ sql }: { readonly sql: Sql }): Route => ({
  method: 'GET',
  path: '/incidents/counts',
  tag: 'incidents',
  doc: `Counts incidents that are open, by status, and those resolved in the last ${lately.hours} hours.`,
  role: 'viewer',
  query,
  answers: { status: 200, schema: objectOf(counted) },
  handle: async (call) => ok(await countsIn(sql, call)),
});

/** Of the teams that are asked for. */
export const countsIn = (sql: Sql, call: Call) =>
  countIncidents(sql, inTeams(scopeOf(call.caller), call), call.now.subtract(lately));
