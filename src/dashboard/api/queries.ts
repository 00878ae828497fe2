import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';
import { readNames, readSession } from './pager.ts';

const NAMES_STALE_MS = 5 * 60_000;

/** The client tries again by itself: an error here is one that lasts. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      placeholderData: keepPreviousData,
      // Whether there is a connection is known by whether something answers.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
  },
});

/** For queries whose key changes: what answered another one is not shown meanwhile. */
export const ofItsOwn = { placeholderData: () => undefined };

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: Number.POSITIVE_INFINITY,
});

export const teamNamesQuery = queryOptions({
  queryKey: ['teams'],
  queryFn: () => readNames('/teams'),
  staleTime: NAMES_STALE_MS,
});
