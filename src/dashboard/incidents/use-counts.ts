import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/queries.ts';
import { countsQuery } from './queries.ts';

/** Of what is open, in a team or in all. */
export function useCounts(team: string | undefined) {
  // The team may be that of whoever reads.
  const enabled = useQuery(sessionQuery).data !== undefined;
  return useQuery({ ...countsQuery(team), enabled }).data;
}
