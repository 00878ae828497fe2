import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { read } from '../api/read.ts';
import { pollMs } from '../live/live.ts';
import { type Forecast, type Incident, newer, type Possible, type Why } from './incident.ts';
import type { Entry, Notice } from './story.ts';

const ENTRIES_AT_ONCE = '100';

/** What was shown of another incident is nothing of this one. */
const live = { placeholderData: () => undefined, refetchInterval: pollMs };
const keyOf = (id: string) => ['incidents', 'one', id];

export function useIncident(id: string) {
  const queries = useQueryClient();
  const queryKey = keyOf(id);
  return useQuery({
    ...live,
    queryKey,
    async queryFn() {
      const latest = await read<Incident>(`/incidents/${id}`, { include: 'names' });
      return newer(queries.getQueryData<Incident>(queryKey), latest);
    },
  });
}

/** An action's answer is shown before anything is read anew. */
export function useShow(id: string): (answer: Omit<Incident, 'names'>) => void {
  const queries = useQueryClient();
  return (answer) =>
    queries.setQueryData<Incident>(
      keyOf(id),
      (shown) => shown && newer(shown, { ...answer, names: shown.names }),
    );
}

export const useForecast = (id: string) =>
  useQuery({
    ...live,
    queryKey: [...keyOf(id), 'next'],
    queryFn: () => read<Forecast>(`/incidents/${id}/next`),
  });

/** What each action would do, by its name. */
export const usePossible = (id: string, isEnabled: boolean) =>
  useQuery({
    ...live,
    queryKey: [...keyOf(id), 'actions'],
    async queryFn() {
      const { data } = await read<{ data: readonly Possible[] }>(`/incidents/${id}/actions`);
      return new Map(data.map((one) => [one.action, one]));
    },
    enabled: isEnabled,
  });

/** About oneself, or about somebody else. */
export const useWhy = (id: string, userId: string | undefined) =>
  useQuery({
    ...live,
    queryKey: [...keyOf(id), 'why', userId],
    queryFn: () =>
      read<Why>(`/incidents/${id}/why`, userId === undefined ? {} : { user_id: userId }),
  });

type EntryPage = {
  readonly data: readonly Entry[];
  readonly next_cursor: string | null;
  readonly removed?: { readonly entries: number; readonly at: string };
};

/** The last entries first, as they are wanted first. */
export const useTimeline = (id: string) =>
  useInfiniteQuery({
    ...live,
    queryKey: [...keyOf(id), 'timeline'],
    queryFn: ({ pageParam }) =>
      read<EntryPage>(`/incidents/${id}/timeline`, {
        ...{ order: 'desc', limit: ENTRIES_AT_ONCE },
        ...(pageParam !== null && { cursor: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

/** Null: some were removed. */
export const useNotices = (id: string) =>
  useQuery({
    ...live,
    queryKey: [...keyOf(id), 'notices'],
    async queryFn() {
      const { data, removed_at } = await read<{ data: readonly Notice[]; removed_at?: string }>(
        `/incidents/${id}/notices`,
      );
      return removed_at === undefined ? data : null;
    },
  });
