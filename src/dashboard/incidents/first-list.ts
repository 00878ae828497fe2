import { teamsOf } from '../shell/team-scope.ts';
import type { ListScope } from './tabs.ts';

/** What `/incidents` lists by itself; null: the page is another one. */
export function firstList(teams: readonly { readonly id: string }[]): ListScope | null {
  if (location.pathname !== '/incidents' || location.search !== '') return null;
  return { tab: 'open', team: teamsOf(undefined, teams), text: undefined, filters: {} };
}
