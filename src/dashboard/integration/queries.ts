// What the page of an integration asks for. All keys begin alike: a change of one makes all stale.
import { queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { readBody } from '../api/pager.ts';
import { ofItsOwn } from '../api/queries.ts';
import { pollMs } from '../live/live.ts';
import { type Event, type Integration, type IntegrationType, latestOf } from './integration.ts';

/** No hint says that an event came which opened nothing. */
const AWAITED_MS = 2_000;
const LATEST = '20';

export const integrationQuery = (id: string) =>
  queryOptions({
    ...ofItsOwn,
    queryKey: ['integrations', id, 'record'],
    queryFn: () => readBody<Integration>(`/integrations/${id}`),
    refetchInterval: pollMs,
  });

/** Of what an integration belongs to. The key is that of the record: a change of it makes it stale. */
export const nameQuery = (route: string, id: string) =>
  queryOptions({
    ...ofItsOwn,
    queryKey: [route, id, 'name'],
    queryFn: async () => (await readBody<{ name: string }>(`/${route}/${id}`)).name,
    staleTime: 60_000,
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
    ...ofItsOwn,
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
