import { useInfiniteQuery } from '@tanstack/react-query';
import { readBody } from '../api/pager.ts';
import { ownZone } from '../ui/zones.ts';
import type { Entry } from './entries.ts';
import { queryOf } from './filters.ts';
import type { AuditSearch } from './search.ts';

type Page = {
  readonly data: readonly Entry[];
  readonly next_cursor: string | null;
  /** Entries before that were removed. */
  readonly removed_before?: string;
};

export function useAuditLog(search: AuditSearch) {
  const query = queryOf(search, ownZone());
  return useInfiniteQuery({
    queryKey: ['audit-log', query],
    queryFn: ({ pageParam }) =>
      readBody<Page>('/audit-log', { ...query, ...(pageParam !== '' && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
}
