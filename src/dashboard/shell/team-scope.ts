import { queryLimits } from '../../limits/queries.ts';

/** In the address, in place of a team. */
export const allTeams = 'all';

/** What `?team=` may be; absent: the teams of the person. */
export const isTeamScope = (text: unknown): text is string =>
  typeof text === 'string' && (text === allTeams || /^[0-9a-f]{24}$/.test(text));

type Team = { readonly id: string };

/** Whether lists are of the person's own teams where the address names none. */
export const hasOwnTeams = (own: readonly Team[]): boolean =>
  own.length > 0 && own.length <= queryLimits.teamsListed;

/** As lists of the API take it; undefined: of all teams. */
export function teamsOf(scope: string | undefined, own: readonly Team[] = []): string | undefined {
  if (scope === allTeams) return undefined;
  if (scope !== undefined) return scope;
  return hasOwnTeams(own) ? own.map(({ id }) => id).join(',') : undefined;
}

/** In the query of a list. */
export const ofTeams = (team: string | undefined): Readonly<Record<string, string>> =>
  team === undefined ? {} : { team_id: team };
