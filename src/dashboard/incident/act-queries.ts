// What is read only once somebody chooses an action.
import { useQuery } from '@tanstack/react-query';
import { readBody, readList } from '../api/pager.ts';
import { ofItsOwn } from '../api/queries.ts';
import type { Incident } from '../incidents/incident.ts';

type Named = { readonly id: string; readonly name: string };

/** Of the team of an incident. */
export const useTeamRecords = (route: string, teamId: string) =>
  useQuery({
    queryKey: [route, teamId],
    queryFn: () => readList<Named>(`/${route}`, { team_id: teamId }),
    ...ofItsOwn,
  });

/** Those that it could be merged into, the newest first. */
export const useOpenIncidents = () =>
  useQuery({
    queryKey: ['incidents', 'open'],
    queryFn: () =>
      readBody<{ data: readonly Incident[] }>('/incidents', { status: 'open', limit: '200' }),
    ...ofItsOwn,
    select: ({ data }) => data,
  });
