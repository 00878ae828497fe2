import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { teamNamesQuery } from '../api/queries.ts';
import { Icon } from '../ui/icon.tsx';
import { words } from './words.ts';

export function useTeam(): string | undefined {
  return useSearch({ from: '__root__' }).team;
}

/** The team that all lists are of. */
export function TeamLabel() {
  const team = useTeam();
  const { data } = useQuery({ ...teamNamesQuery, enabled: team !== undefined });
  return (
    <>
      <Icon name="users" />
      <span className="min-w-0 flex-1 truncate">
        <span className="sr-only">{words.team}: </span>
        <bdi>{team === undefined ? words.allTeams : (data?.get(team) ?? '…')}</bdi>
      </span>
      <Icon name="chevrons-up-down" className="size-3.5" />
    </>
  );
}
