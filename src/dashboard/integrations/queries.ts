// How integrations fare. The key begins like those of integrations: a change of one makes it stale.
import { queryOptions } from '@tanstack/react-query';
import { readBody } from '../api/pager.ts';
import { pollMs } from '../live/live.ts';
import { ofTeams } from '../shell/team-scope.ts';

export type Activity = {
  readonly integration_id: string;
  readonly state: 'waiting' | 'live' | 'silent' | 'dropping' | 'disabled';
  readonly reason?: string;
  readonly last_event_at: string | null;
};

export const activityQuery = (teams: string | undefined) =>
  queryOptions({
    queryKey: ['integrations', 'activity', teams],
    queryFn: async () => {
      const { data } = await readBody<{ data: readonly Activity[] }>(
        '/integration-activity',
        ofTeams(teams),
      );
      return new Map(data.map((one) => [one.integration_id, one]));
    },
    refetchInterval: pollMs,
  });
