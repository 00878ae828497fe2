import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { readBody } from '../api/pager.ts';
import type { Notice } from '../incident/story.ts';
import { pollMs } from '../live/live.ts';
import type { DayCounts } from './bars.ts';

type Query = Readonly<Record<string, string>>;

export type Page = Notice & {
  readonly incident_number: number;
  readonly incident_title: string;
  readonly service?: string;
  readonly step?: number;
};
type PageList = { readonly data: readonly Page[]; readonly next_cursor: string | null };

/** Below the key of incidents: when one changes, its pages may have too. */
const key = ['incidents', 'pages'] as const;

/** Null: nothing fits what to ask for. */
export const pagesQuery = (query: Query | null) =>
  infiniteQueryOptions({
    queryKey: [...key, query],
    queryFn: ({ pageParam }) => readPages(query ?? {}, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: pollMs,
    enabled: query !== null,
  });

export type Counts = { readonly data: readonly DayCounts[]; readonly counted_from?: string };

export const countsQuery = (query: Query | null) =>
  queryOptions({
    queryKey: [...key, 'counts', query],
    queryFn: () => readBody<Counts>('/pages/counts', query ?? {}),
    refetchInterval: pollMs,
    enabled: query !== null,
  });

/** So many parts of the list are read until one has a page: the reader asks for the rest. */
const SEARCHES = 20;

/** A part of the list may be empty and yet not the last one. */
async function readPages(query: Query, cursor: string | null): Promise<PageList> {
  for (let [from, search] = [cursor, 1]; ; search += 1) {
    const list = await readBody<PageList>('/pages', { ...query, ...(from && { cursor: from }) });
    if (list.data.length > 0 || list.next_cursor === null || search === SEARCHES) return list;
    from = list.next_cursor;
  }
}
