import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { readPage } from '../../client/pages.ts';
import { PagerError, pager } from '../api/pager.ts';
import { POLL_MS } from '../api/queries.ts';
import type { Incident } from './incident.ts';

const PAGE_SIZE = 50;
type Query = Readonly<Record<string, string>>;

export const useIncidents = (query: Query) => useInfiniteQuery(incidentsQuery(query));

function incidentsQuery(query: Query) {
  return infiniteQueryOptions({
    queryKey: ['incidents', query],
    queryFn: ({ pageParam }) => readIncidents(query, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: POLL_MS,
  });
}

async function readIncidents(query: Query, cursor: string | null) {
  const paging = { limit: String(PAGE_SIZE), ...(cursor !== null && { cursor }) };
  const page = await readPage(pager.client, '/incidents', { ...query, ...paging });
  if (!page.ok) throw new PagerError(page.failure);
  const { data, next_cursor } = page.value;
  return { incidents: data as unknown as readonly Incident[], next_cursor };
}
