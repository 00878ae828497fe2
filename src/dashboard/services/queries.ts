// What the pages of services show beside their fields. The keys are those of what is read: a change of
// an incident makes the counts stale.
import { queryOptions } from '@tanstack/react-query';
import { readBody, readList } from '../api/pager.ts';
import { pollMs } from '../live/live.ts';
import { ofTeams } from '../shell/team-scope.ts';
import { type ListedIncident, type OpenCounts, openByService } from './services.ts';

type Page = { readonly data: readonly ListedIncident[]; readonly next_cursor: string | null };

const MOST = '200';

/** Those of the first page: of more, the counts are at least what they say. */
export const openCountsQuery = (teams: string | undefined) =>
  queryOptions({
    queryKey: ['incidents', 'open by service', teams],
    queryFn: async (): Promise<OpenCounts> => {
      const query = { ...ofTeams(teams), status: 'open', limit: MOST };
      const { data, next_cursor } = await readBody<Page>('/incidents', query);
      return { byService: openByService(data), isWhole: next_cursor === null };
    },
    refetchInterval: pollMs,
  });

export const openOfServiceQuery = (id: string) =>
  queryOptions({
    queryKey: ['incidents', 'open of service', id],
    queryFn: async () => {
      const query = { service_id: id, status: 'open', limit: MOST };
      const { data, next_cursor } = await readBody<Page>('/incidents', query);
      return { count: data.length, isWhole: next_cursor === null };
    },
    refetchInterval: pollMs,
  });

export const lastIncidentQuery = (id: string) =>
  queryOptions({
    queryKey: ['incidents', 'last of service', id],
    queryFn: async () =>
      (await readBody<Page>('/incidents', { service_id: id, limit: '1' })).data[0] ?? null,
    refetchInterval: pollMs,
  });

export type Connected = {
  readonly id: string;
  readonly name?: string;
  readonly slug: string;
  readonly counter: number;
  readonly service_id: string;
  readonly enabled: boolean;
};

export const integrationsQuery = (teams: string | undefined) =>
  queryOptions({
    queryKey: ['integrations', 'of services', teams],
    queryFn: () => readList<Connected>('/integrations', ofTeams(teams)),
    staleTime: 60_000,
  });

export const integrationsOfQuery = (id: string) =>
  queryOptions({
    queryKey: ['integrations', 'of service', id],
    queryFn: () => readList<Connected>('/integrations', { service_id: id }),
  });
