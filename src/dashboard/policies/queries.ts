// What the pages of policies show beside their fields.
import { queryOptions } from '@tanstack/react-query';
import { readList } from '../api/pager.ts';
import { ofTeams } from '../shell/team-scope.ts';

type Using = { readonly id: string; readonly escalation_policy_id: string };

export const integrationsQuery = (teams: string | undefined) =>
  queryOptions({
    queryKey: ['integrations', 'of policies', teams],
    queryFn: () => readList<Using>('/integrations', ofTeams(teams)),
    staleTime: 60_000,
  });
