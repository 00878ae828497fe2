// How integrations fare. The key begins like those of integrations: a change of one makes it stale.
import { queryOptions } from '@tanstack/react-query';
import { readBody } from '../api/pager.ts';
import { pollMs } from '../live/live.ts';
import { ofTeams } from '../shell/team-scope.ts';
import { type LastDays, lastDaysOf } from './last-day.ts';

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

/** The bars of an hour that is not over may be so old. */
const AGAIN_MS = 60_000;

/** One request for the whole list. */
export const lastDayQuery = (teams: string | undefined) =>
  queryOptions({
    queryKey: ['integrations', 'last-day', teams],
    queryFn: async () =>
      lastDaysOf(await readBody<LastDays>('/integration-activity/last-day', ofTeams(teams))),
    refetchInterval: AGAIN_MS,
  });
