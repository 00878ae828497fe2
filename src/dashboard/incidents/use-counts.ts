import { useQuery } from '@tanstack/react-query';
import { PagerError, pager } from '../api/pager.ts';
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
    queryFn: () => readCounts(team),
    refetchInterval: pollMs,
    enabled,
  }).data;
}

async function readCounts(team: string | undefined): Promise<Counts> {
  const query = team === undefined ? {} : { team_id: team };
  const answer = await pager.client.send({ method: 'GET', path: '/incidents/counts', query });
  if (!answer.ok) throw new PagerError(answer.failure);
  // What this version of the API answers, as docs/openapi.json has it.
  return answer.body as unknown as Counts;
}
