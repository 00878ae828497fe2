// What the pages of policies show beside their fields.
import { queryOptions } from '@tanstack/react-query';
import { readBody, readList } from '../api/pager.ts';
import { pollMs } from '../live/live.ts';
import { ofTeams } from '../shell/team-scope.ts';

type UnreachableStep = {
  readonly escalation_policy_id: string;
  readonly step: number;
  readonly reasons: readonly string[];
};

/** That reach nobody now. */
export const unreachableStepsQuery = (teams: string | undefined) =>
  queryOptions({
    queryKey: ['escalation-policies', 'unreachable steps', teams],
    queryFn: async () => {
      const path = '/escalation-policies/unreachable-steps';
      return (await readBody<{ data: readonly UnreachableStep[] }>(path, ofTeams(teams))).data;
    },
    refetchInterval: pollMs,
  });

type Using = { readonly id: string; readonly escalation_policy_id: string };

export const integrationsQuery = (teams: string | undefined) =>
  queryOptions({
    queryKey: ['integrations', 'of policies', teams],
    queryFn: () => readList<Using>('/integrations', ofTeams(teams)),
    staleTime: 60_000,
  });
