import { useQuery } from '@tanstack/react-query';
import { readBody } from '../api/pager.ts';
import { sessionQuery } from '../api/queries.ts';
import { pollMs } from '../live/live.ts';

type Counts = {
  readonly triggered: number;
  readonly acknowledged: number;
  /** Otherwise there are more than these. */
  readonly complete: boolean;
};

/** Of what is open, in a team or in all. */
export function useCounts(team: string | undefined): Counts | undefined {
  // The team may be that of whoever reads.
  const enabled = useQuery(sessionQuery).data !== undefined;
  return useQuery({
    queryKey: ['incidents', 'counts', team],
    queryFn: () =>
      readBody<Counts>('/incidents/counts', team === undefined ? {} : { team_id: team }),
    refetchInterval: pollMs,
    enabled,
  }).data;
}
