import { queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { personName } from '../../resources/person-name.ts';
import { readBody } from '../api/pager.ts';
import { ofItsOwn } from '../api/queries.ts';
import { pollMs } from '../live/live.ts';
import type { ListedPerson } from '../people/person.ts';
import { peopleQuery } from '../people/queries.ts';
import { type Forecast, type Incident, newer, type Possible, type Why } from './incident.ts';
import type { Entry, Notice } from './story.ts';

const ENTRIES_AT_ONCE = '100';

/** What was shown of another incident is nothing of this one. */
export const live = { ...ofItsOwn, refetchInterval: pollMs };
export const keyOf = (id: string) => ['incidents', 'one', id];

export function useIncident(id: string) {
  const queries = useQueryClient();
  const queryKey = keyOf(id);
  return useQuery({
    ...live,
    queryKey,
    async queryFn() {
      const latest = await readBody<Incident>(`/incidents/${id}`, { include: 'names' });
      return newer(queries.getQueryData<Incident>(queryKey), latest);
    },
  });
}

/** An action's answer is shown before anything is read anew. */
export function useShow(id: string): (answer: Omit<Incident, OfPage>) => void {
  const queries = useQueryClient();
  return (answer) =>
    queries.setQueryData<Incident>(keyOf(id), (shown) => {
      if (shown === undefined) return undefined;
      const { names, alert_integration_ids } = shown;
      const several = alert_integration_ids && { alert_integration_ids };
      return newer(shown, { ...answer, names, ...several });
    });
}

/** What actions do not answer. */
type OfPage = 'names' | 'alert_integration_ids';

export const useForecast = (id: string) =>
  useQuery({
    ...live,
    queryKey: [...keyOf(id), 'next'],
    queryFn: () => readBody<Forecast>(`/incidents/${id}/next`),
  });

/** What each action would do, by its name. */
export const possibleQuery = (id: string) =>
  queryOptions({
    ...live,
    queryKey: [...keyOf(id), 'actions'],
    async queryFn() {
      const { data } = await readBody<{ data: readonly Possible[] }>(`/incidents/${id}/actions`);
      return new Map(data.map((one) => [one.action, one]));
    },
  });

export const usePossible = (id: string) => useQuery(possibleQuery(id));

/** About oneself, or about somebody else. */
export const useWhy = (id: string, userId?: string, isEnabled = true) =>
  useQuery({
    ...live,
    queryKey: [...keyOf(id), 'why', userId],
    queryFn: () =>
      readBody<Why>(`/incidents/${id}/why`, userId === undefined ? {} : { user_id: userId }),
    enabled: isEnabled,
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
      readBody<EntryPage>(`/incidents/${id}/timeline`, {
        order: 'desc',
        limit: ENTRIES_AT_ONCE,
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
      const { data, removed_at } = await readBody<{ data: readonly Notice[]; removed_at?: string }>(
        `/incidents/${id}/notices`,
      );
      return removed_at === undefined ? data : null;
    },
  });

type Named = { readonly id: string; readonly name: string };

/** All who may be asked about or notified. */
export const usePeople = (isEnabled = true) =>
  useQuery({ ...peopleQuery, select: activeByName, enabled: isEnabled });

const activeByName = (people: readonly ListedPerson[]): readonly Named[] =>
  people
    .filter(({ active }) => active)
    .map((one) => ({ id: one.id, name: personName(one) }))
    .sort((a, b) => a.name.localeCompare(b.name));
