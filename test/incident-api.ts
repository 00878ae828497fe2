import { incidentRoutes } from '../src/api/incidents/routes.ts';
import { reportRoutes } from '../src/api/reports/routes.ts';
import type { Caller } from '../src/api/route.ts';
import { createIds } from '../src/engine/ids.ts';
import { testApi } from './api.ts';
import { compute } from './compute.ts';
import type { Pager } from './stories/story.ts';

/** The routes of incidents, and some whose first page is due. */
export async function seedIncidents(pager: Pager, titles = ['one', 'two']) {
  const { sql, clock } = pager;
  const { ledger, configurations } = pager.serve();
  const { faults } = pager;
  const rest = {
    publicUrl: 'https://pager.test',
    committed: () => {},
    ids: createIds(clock),
    faults,
    compute,
  };
  const api = await testApi({
    sql,
    clock,
    routes: [
      ...incidentRoutes({ sql, ledger, clock, configurations, ...rest }),
      ...reportRoutes({ sql }),
    ],
  });
  if (titles.length === 0) return api;
  const on = await pager.integration({ steps: [pager.step('ada')] });
  for (const title of titles) await pager.trigger(on, { title });
  return api;
}

export const callerOf = ({ scope }: Pager, fields: Partial<Caller> = {}): Caller => ({
  kind: 'key',
  id: 'c'.repeat(24),
  name: 'ci',
  role: 'responder',
  organizationId: scope.organizationId,
  teamIds: null,
  defaultTeamId: null,
  ...fields,
});
