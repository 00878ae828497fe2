import { queryOptions } from '@tanstack/react-query';
import { readList } from '../api/pager.ts';

export type Team = {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly default: boolean;
  readonly user_ids: readonly string[];
};

/** By name. */
export const teamsQuery = queryOptions({
  queryKey: ['teams', 'whole'],
  queryFn: async () =>
    (await readList<Team>('/teams')).toSorted((one, other) => one.name.localeCompare(other.name)),
});
