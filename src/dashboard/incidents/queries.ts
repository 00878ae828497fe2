// What the list of incidents reads. Without React, so that it is read before that is there.
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { FRESH_MS } from '../api/fresh.ts';
import { readBody } from '../api/pager.ts';
import { pollMs } from '../live/live.ts';
import { ofTeams } from '../shell/team-scope.ts';
import { atTime } from './filters.ts';
import type { Incident } from './incident.ts';
import type { Upcoming } from './next.ts';
import { pageOf } from './tabs.ts';

const DAY_MS = 24 * 3_600_000;
type Query = Readonly<Record<string, string>>;
type IncidentPage = {
  readonly incidents: readonly Incident[];
  readonly next_cursor: string | null;
};
type Counts = {
  readonly triggered: number;
  readonly acknowledged: number;
  /** Otherwise there are more than these. */
  readonly complete: boolean;
};
type AnsweredPage = {
  readonly data: readonly Omit<
    Incident,
    'service' | 'next' | 'paging' | 'reached' | 'handled_by'
  >[];
  readonly next_cursor: string | null;
  readonly names: Readonly<Record<string, string>>;
  readonly next: Readonly<Record<string, Upcoming>>;
  readonly paging: Readonly<Record<string, NonNullable<Incident['paging']>>>;
  readonly reached: Readonly<Record<string, NonNullable<Incident['reached']>>>;
  readonly handled_by: Readonly<Record<string, NonNullable<Incident['handled_by']>>>;
  /** Of the first page. */
  readonly counts?: Counts;
};

/** Null: what to ask for is not known yet. */
export const incidentsQuery = (query: Query | null) =>
  infiniteQueryOptions({
    queryKey: ['incidents', query],
    queryFn: ({ client, pageParam }) => readIncidents(client, query ?? {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: pollMs,
    staleTime: FRESH_MS,
    enabled: query !== null,
  });

/** The newest of those that were resolved within a day. */
export const resolvedTodayQuery = (query: Query | null) =>
  queryOptions({
    queryKey: ['incidents', 'resolved today', query],
    queryFn: ({ client }) => {
      const resolved_from = new Date(Date.now() - DAY_MS).toISOString();
      return readIncidents(client, { ...query, resolved_from }, null);
    },
    refetchInterval: pollMs,
  });

/** Of what is open, in a team or in all. */
export const countsQuery = (team: string | undefined) =>
  queryOptions({
    queryKey: ['incidents', 'counts', team],
    queryFn: () => readBody<Counts>('/incidents/counts', ofTeams(team)),
    refetchInterval: pollMs,
    staleTime: FRESH_MS,
  });

/** A page may be empty and yet not the last one. */
async function readIncidents(
  client: QueryClient,
  query: Query,
  cursor: string | null,
): Promise<IncidentPage> {
  let from = cursor;
  for (;;) {
    const wanted = pageOf(atTime(query, Date.now()), from);
    const page = await readBody<AnsweredPage>('/incidents', wanted);
    if (page.counts) client.setQueryData(countsQuery(query['team_id']).queryKey, page.counts);
    const incidents = page.data.map((incident) => ({
      ...incident,
      service: page.names[incident.service_id],
      next: page.next[incident.id],
      paging: page.paging[incident.id],
      reached: page.reached[incident.id],
      handled_by: page.handled_by[incident.id],
    }));
    if (incidents.length > 0 || page.next_cursor === null)
      return { incidents, next_cursor: page.next_cursor };
    from = page.next_cursor;
  }
}
