import { useQuery } from '@tanstack/react-query';
import { useMatch } from '@tanstack/react-router';
import { sessionQuery } from '../api/queries.ts';
import { countsQuery } from './queries.ts';
import { hasCounts, tabOf } from './tabs.ts';

/** Of what is open, in a team or in all. */
export function useCounts(team: string | undefined) {
  // The team may be that of whoever reads.
  const isSignedIn = useQuery(sessionQuery).data !== undefined;
  const comesWithList = useMatch({
    from: '/incidents',
    shouldThrow: false,
    select: ({ search }) => hasCounts(tabOf(search.tab)),
  });
  const enabled = isSignedIn && comesWithList !== true;
  return useQuery({ ...countsQuery(team), enabled }).data;
}
