// Reads what the first page shows while most of the dashboard is still on its way. It shares what it
// read with the rest by the cache of queries; without React, so that it comes first.
import { queryClient, sessionQuery } from './api/queries.ts';
import { countsQuery, incidentsQuery } from './incidents/queries.ts';
import { queryOf } from './incidents/tabs.ts';
import { attentionQuery } from './setup/queries.ts';
import { teamsOf } from './shell/team-scope.ts';

void readAhead();

/** What fails is read again, and told, by the page. */
async function readAhead(): Promise<void> {
  const session = await queryClient.fetchQuery(sessionQuery).catch(() => null);
  if (session === null || location.pathname !== '/incidents' || location.search !== '') return;
  const team = teamsOf(undefined, session.teams);
  const scope = { tab: 'open', team, text: undefined, filters: {} } as const;
  void queryClient.prefetchInfiniteQuery(incidentsQuery(queryOf(scope, session.user.id)));
  void queryClient.prefetchQuery(attentionQuery(team));
  void queryClient.prefetchQuery(countsQuery(team));
}
