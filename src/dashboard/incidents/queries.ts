// What the list of incidents reads. Without React, so that it is read before that is there.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { PagerError, pager, readBody } from '../api/pager.ts';
import { FRESH_MS } from '../api/queries.ts';
import { pollMs } from '../live/live.ts';
import { atTime } from './filters.ts';
import type { Incident } from './incident.ts';
import type { Upcoming } from './next.ts';

const PAGE_SIZE = 50;
const DAY_MS = 24 * 3_600_000;
type Query = Readonly<Record<string, string>>;
type IncidentPage = {
  readonly incidents: readonly Incident[];
  readonly next_cursor: string | null;
};
type AnsweredPage = {
  readonly data: readonly Omit<Incident, 'service' | 'next'>[];
  readonly next_cursor: string | null;
  readonly names: Readonly<Record<string, string>>;
  readonly next: Readonly<Record<string, Upcoming>>;
};

/** Null: what to ask for is not known yet. */
export const incidentsQuery = (query: Query | null) =>
  infiniteQueryOptions({
    queryKey: ['incidents', query],
    queryFn: ({ pageParam }) => readIncidents(query ?? {}, pageParam),
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
    queryFn: async () => {
      const resolved_from = new Date(Date.now() - DAY_MS).toISOString();
      const { incidents } = await readIncidents({ ...query, resolved_from }, null);
      return incidents;
    },
    refetchInterval: pollMs,
  });

type Counts = {
  readonly triggered: number;
  readonly acknowledged: number;
  /** Otherwise there are more than these. */
  readonly complete: boolean;
};

/** Of what is open, in a team or in all. */
export const countsQuery = (team: string | undefined) =>
  queryOptions({
    queryKey: ['incidents', 'counts', team],
    queryFn: () =>
      readBody<Counts>('/incidents/counts', team === undefined ? {} : { team_id: team }),
    refetchInterval: pollMs,
    staleTime: FRESH_MS,
  });

/** A page may be empty and yet not the last one. */
async function readIncidents(query: Query, cursor: string | null): Promise<IncidentPage> {
  let from = cursor;
  for (;;) {
    const paging = { limit: String(PAGE_SIZE), ...(from !== null && { cursor: from }) };
    const answer = await pager.client.send({
      ...{ method: 'GET', path: '/incidents' },
      query: { ...atTime(query, Date.now()), include: 'names,next', ...paging },
    });
    if (!answer.ok) throw new PagerError(answer.failure);
    // What this version of the API answers, as docs/openapi.json has it.
    const page = answer.body as unknown as AnsweredPage;
    const incidents = page.data.map((incident) => ({
      ...incident,
      service: page.names[incident.service_id],
      next: page.next[incident.id],
    }));
    if (incidents.length > 0 || page.next_cursor === null)
      return { incidents, next_cursor: page.next_cursor };
    from = page.next_cursor;
  }
}
