import { useInfiniteQuery } from '@tanstack/react-query';
import { readBody } from '../../api/pager.ts';
import { keyOf, live } from '../queries.ts';
import type { AlertPage } from './alerts.ts';

const AT_ONCE = '50';

/** Active ones first. */
export const useAlerts = (id: string) =>
  useInfiniteQuery({
    ...live,
    queryKey: [...keyOf(id), 'alerts'],
    queryFn: ({ pageParam }) =>
      readBody<AlertPage>(`/incidents/${id}/alerts`, {
        limit: AT_ONCE,
        ...(pageParam !== null && { cursor: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
