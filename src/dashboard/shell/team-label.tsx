import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { sessionQuery, teamNamesQuery } from '../api/queries.ts';
import { Icon } from '../ui/icon.tsx';
import { allTeams, hasOwnTeams, teamsOf } from './team-scope.ts';
import { words } from './words.ts';

/** As lists of the API take them, with commas between; undefined: of all teams. */
export function useTeams(): string | undefined {
  const scope = useTeamScope();
  const { data } = useQuery(sessionQuery);
  return teamsOf(scope, data?.teams);
}

/** The one that the address names. */
export function useTeam(): string | undefined {
  const scope = useTeamScope();
  return scope === allTeams ? undefined : scope;
}

/** As the address has it. */
export const useTeamScope = (): string | undefined => useSearch({ from: '__root__' }).team;

/** The teams that all lists are of. */
export function TeamLabel() {
  const scope = useTeamScope();
  const team = useTeam();
  const { data: session } = useQuery(sessionQuery);
  const { data: names } = useQuery({ ...teamNamesQuery, enabled: team !== undefined });
  const isOwn = scope === undefined && session !== undefined && hasOwnTeams(session.teams);
  const several = isOwn ? words.myTeams : words.allTeams;
  return (
    <>
      <Icon name="users" />
      <span className="min-w-0 flex-1 truncate">
        <span className="sr-only">{words.team}: </span>
        <bdi>{team === undefined ? several : (names?.get(team) ?? '…')}</bdi>
      </span>
      <Icon name="chevrons-up-down" className="size-3.5" />
    </>
  );
}
