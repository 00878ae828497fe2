import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { readPage } from '../../client/pages.ts';
import { PagerError, pager } from '../api/pager.ts';
import { pollMs } from '../live/live.ts';
import type { Incident } from './incident.ts';

const PAGE_SIZE = 50;
const DAY_MS = 24 * 3_600_000;
type Query = Readonly<Record<string, string>>;

/** Null: what to ask for is not known yet. */
export const useIncidents = (query: Query | null) =>
  useInfiniteQuery({
    queryKey: ['incidents', query],
    queryFn: ({ pageParam }) => readIncidents(query ?? {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: pollMs,
    enabled: query !== null,
  });

/** The newest of those that were resolved within a day. */
export const useResolvedToday = (query: Query) =>
  useQuery({
    queryKey: ['incidents', 'resolved today', query],
    queryFn: async () => {
      const resolved_from = new Date(Date.now() - DAY_MS).toISOString();
      const { incidents } = await readIncidents(
        { ...query, status: 'resolved', resolved_from },
        null,
      );
      return incidents;
    },
    refetchInterval: pollMs,
  });

/** A page may be empty and yet not the last one. */
async function readIncidents(query: Query, cursor: string | null) {
  let from = cursor;
  for (;;) {
    const paging = { limit: String(PAGE_SIZE), ...(from !== null && { cursor: from }) };
    const page = await readPage(pager.client, '/incidents', { ...query, ...paging });
    if (!page.ok) throw new PagerError(page.failure);
    const { data, next_cursor } = page.value;
    if (data.length > 0 || next_cursor === null)
      return { incidents: data as unknown as readonly Incident[], next_cursor };
    from = next_cursor;
  }
}
