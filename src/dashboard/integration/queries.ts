// What the page of an integration asks for. All keys begin alike: a change of one makes all stale.
import { queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { readBody } from '../api/pager.ts';
import { pollMs } from '../live/live.ts';
import { type Event, type Integration, type IntegrationType, latestOf } from './integration.ts';

/** No hint says that an event came which opened nothing. */
const AWAITED_MS = 2_000;
const LATEST = '20';
const LEADS_TO_STALE_MS = 60_000;

/** What was shown of another integration is nothing of this one. */
const own = { placeholderData: () => undefined };

export const integrationQuery = (id: string) =>
  queryOptions({
    ...own,
    queryKey: ['integrations', id, 'record'],
    queryFn: () => readBody<Integration>(`/integrations/${id}`),
    refetchInterval: pollMs,
  });

/** The name of what the integration leads to. */
export const leadsToQuery = (path: `/services/${string}` | `/escalation-policies/${string}`) =>
  queryOptions({
    ...own,
    queryKey: ['integrations', 'leads to', path],
    queryFn: async () => (await readBody<{ name: string }>(path)).name,
    staleTime: LEADS_TO_STALE_MS,
  });

/** The same for as long as the server runs. */
export const typesQuery = queryOptions({
  queryKey: ['integration-types'],
  queryFn: async () =>
    (await readBody<{ data: readonly IntegrationType[] }>('/integration-types')).data,
  staleTime: Number.POSITIVE_INFINITY,
});

type EventsPage = {
  readonly data: readonly Event[];
  readonly next_cursor: string | null;
  readonly removed_before?: string;
};

const eventsPath = (id: string) => `/integrations/${id}/events`;

export const latestQuery = (id: string) =>
  queryOptions({
    ...own,
    queryKey: ['integrations', id, 'latest'],
    queryFn: async () =>
      latestOf((await readBody<EventsPage>(eventsPath(id), { limit: LATEST })).data),
    refetchInterval: ({ state: { data } }) => (data?.tool === undefined ? AWAITED_MS : pollMs()),
  });

export const useEvents = (id: string) =>
  useInfiniteQuery({
    queryKey: ['integrations', id, 'events'],
    queryFn: ({ pageParam }) =>
      readBody<EventsPage>(eventsPath(id), pageParam === '' ? {} : { cursor: pageParam }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: pollMs,
  });
