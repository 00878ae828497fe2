// What the pages of records ask for. All keys of one kind begin alike: a change of one makes all stale.
import { queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { readBody, readComputed, readList } from '../api/pager.ts';
import { ofItsOwn } from '../api/queries.ts';
import { pollMs } from '../live/live.ts';
import { ofTeams } from '../shell/team-scope.ts';
import { type DashboardRecord, keyOf, type RecordKind } from './record.ts';

type Listed = { readonly teams: string | undefined; readonly isArchived: boolean };

/** All of them: a list is by name, and the API's by counter. */
export const recordsQuery = (kind: RecordKind, { teams, isArchived }: Listed) =>
  queryOptions({
    queryKey: [keyOf(kind), 'list', teams, isArchived],
    queryFn: () =>
      readList<DashboardRecord>(kind.path, {
        ...ofTeams(teams),
        ...(isArchived && { archived: 'true' }),
      }),
    refetchInterval: pollMs,
  });

export const recordQuery = (kind: RecordKind, id: string) =>
  queryOptions({
    ...ofItsOwn,
    queryKey: [keyOf(kind), id, 'record'],
    queryFn: () => readBody<DashboardRecord>(`${kind.path}/${id}`),
    refetchInterval: pollMs,
  });

export type Use = { readonly kind: string; readonly id: string; readonly name: string };

export const usesQuery = (kind: Pick<RecordKind, 'path'>, id: string) =>
  queryOptions({
    ...ofItsOwn,
    queryKey: [keyOf(kind), id, 'uses'],
    queryFn: () =>
      readBody<{ readonly data: readonly Use[]; readonly count: number }>(
        `${kind.path}/${id}/uses`,
      ),
    staleTime: 0,
  });

type OpenIncident = { readonly number: number; readonly title: string };
type OpenPage = { readonly data: readonly OpenIncident[]; readonly next_cursor: string | null };

/** By which the API finds the incidents of a record; of other kinds, incidents are not. */
const incidentFilters: Readonly<Record<string, string>> = {
  service: 'service_id',
  integration: 'integration_id',
  escalation_policy: 'escalation_policy_id',
};

/** Those of the first page. */
export const openIncidentsQuery = (kind: RecordKind, id: string) => {
  const filter = incidentFilters[kind.name];
  return queryOptions({
    queryKey: ['incidents', 'open of record', kind.name, id],
    queryFn: async () => {
      const query = { [filter ?? '']: id, status: 'open', limit: '200' };
      const { data, next_cursor } = await readBody<OpenPage>('/incidents', query);
      return { incidents: data, isWhole: next_cursor === null };
    },
    enabled: filter !== undefined,
    staleTime: 0,
  });
};

type Warning = { readonly code: string; readonly message: string };

/** What a write would do to people, as a plan of Terraform says it: `record` as POST /preview takes it. */
export const effectsQuery = (kind: RecordKind, record: Readonly<Record<string, unknown>>) =>
  queryOptions({
    queryKey: [keyOf(kind), 'effects', record],
    queryFn: async () => {
      const body = { kind: kind.name, record };
      const { data } = await readComputed<{ data: { warnings: readonly Warning[] } }>(
        '/preview',
        body,
      );
      return data.warnings;
    },
    staleTime: 0,
    retryOnMount: false,
  });

export type HistoryEntry = {
  readonly id: string;
  readonly at: string;
  readonly actor: { readonly type: 'user' | 'key' | 'server'; readonly name: string };
  readonly action: string;
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
};

type HistoryPage = {
  readonly data: readonly HistoryEntry[];
  readonly next_cursor: string | null;
};

export const useHistory = (kind: RecordKind, id: string) =>
  useInfiniteQuery({
    queryKey: [keyOf(kind), id, 'history'],
    queryFn: ({ pageParam }) =>
      readBody<HistoryPage>('/audit-log', {
        record_type: kind.name,
        record_id: id,
        ...(pageParam !== '' && { cursor: pageParam }),
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
