import { queryOptions } from '@tanstack/react-query';
import { FRESH_MS } from '../api/fresh.ts';
import { readBody } from '../api/pager.ts';
import { ofTeams } from '../shell/team-scope.ts';
import type { Attention } from './attention.ts';

const REFRESH_MS = 5 * 60_000;

/** Of the records of these teams, or of all. */
export const attentionQuery = (team: string | undefined) =>
  queryOptions({
    queryKey: ['attention', team],
    queryFn: () => readBody<Attention>('/attention', ofTeams(team)),
    refetchInterval: REFRESH_MS,
    staleTime: FRESH_MS,
  });
