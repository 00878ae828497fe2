import { ofTeams } from '../shell/team-scope.ts';
import { type Filters, queryOfFilters } from './filters.ts';

export const tabs = ['open', 'mine', 'resolved', 'all'] as const;
export type Tab = (typeof tabs)[number];

export type ListScope = {
  readonly tab: Tab;
  readonly team: string | undefined;
  /** In the title or the dedup key. */
  readonly text: string | undefined;
  readonly filters: Filters;
};
type Query = Readonly<Record<string, string>>;

const PAGE_SIZE = '50';
const included = 'names,next,handled_by';

/** Open is where one is without saying so. */
export const tabOf = (text: unknown): Tab => tabs.find((tab) => tab === text) ?? 'open';

/** Whether the list brings the counts: mine is of other teams than they are. */
export const hasCounts = (tab: Tab): boolean => tab !== 'mine';

/** As the API takes it. Null: it is not known yet who asks, and so for which teams. */
export function queryOf(
  { tab, team, text, filters }: ListScope,
  me: string | undefined,
): Query | null {
  if (me === undefined) return null;
  return {
    ...queryOfFilters(filters),
    ...queryOfTab(tab, me),
    ...ofTeams(team),
    ...(text !== undefined && { q: text }),
    include: hasCounts(tab) ? `${included},counts` : included,
  };
}

/** One page of a list. The first has the counts. */
export const pageOf = (query: Query, cursor: string | null): Query => ({
  ...query,
  limit: PAGE_SIZE,
  ...(cursor !== null && { include: included, cursor }),
});

/** Of an open list: what of it has been resolved. */
export function resolvedOf(scope: ListScope, me: string | undefined): Query | null {
  const query = queryOf(scope, me);
  if (query === null) return null;
  const { sort: _, ...rest } = query;
  return { ...rest, status: 'resolved', include: included };
}

function queryOfTab(tab: Tab, me: string): Query {
  switch (tab) {
    case 'open':
      return { status: 'open', sort: 'urgency' };
    case 'mine':
      return { status: 'open', sort: 'urgency', involves: me };
    case 'resolved':
      return { status: 'resolved' };
    case 'all':
      return {};
  }
}
