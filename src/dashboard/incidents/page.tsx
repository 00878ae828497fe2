import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { incidentRole } from '../../resources/roles.ts';
import { useMay } from '../api/use-may.ts';
import { lazyPart } from '../shell/lazy-part.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { useTeams } from '../shell/team-label.tsx';
import { Button } from '../ui/button.tsx';
import { useIsIdle } from '../ui/idle.ts';
import { SearchField } from '../ui/search-field.tsx';
import { Tab as TabLink } from '../ui/tabs.tsx';
import { FilterBar } from './filter-bar.tsx';
import { filtersOf } from './filters.ts';
import { rememberList } from './last-list.ts';
import { IncidentList } from './list.tsx';
import { type Tab, tabs } from './tabs.ts';
import { useCounts } from './use-counts.ts';
import { useListKeys } from './use-list-keys.ts';
import { words } from './words.ts';

/** After the list, which does not wait for it. */
const LastDay = lazyPart(() => import('./last-day.tsx'), 'LastDay');

export function IncidentsPage() {
  const searched = useSearch({ from: '/incidents' });
  const { tab = 'open', team: scope, q } = searched;
  const filters = filtersOf(searched);
  rememberList(searched);
  const teams = useTeams();
  // What is assigned to me is mine, whichever team it is of.
  const team = tab === 'mine' && scope === undefined ? undefined : teams;
  const navigate = useNavigate({ from: '/incidents' });
  const isIdle = useIsIdle();
  useListKeys();
  const search = (text: string) =>
    void navigate({
      search: ({ q: _, ...rest }) => (text ? { ...rest, q: text } : rest),
      replace: true,
      resetScroll: false,
    });
  const clear = () =>
    void navigate({
      search: ({ tab, team }) => ({ ...(tab && { tab }), ...(team && { team }) }),
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <PageHeader title={words.title}>
        <SearchField label={words.search} text={q ?? ''} onChange={search} />
        <OpenButton />
      </PageHeader>
      <FilterBar filters={filters}>
        <Tabs tab={tab} team={teams} />
        {isIdle && (
          <Suspense>
            <LastDay team={teams} />
          </Suspense>
        )}
      </FilterBar>
      <IncidentList scope={{ tab, team, text: q, filters }} clear={clear} />
    </>
  );
}

function OpenButton() {
  const mayOpen = useMay(incidentRole);
  const navigate = useNavigate();
  if (!mayOpen) return null;
  return (
    <Button icon="plus" onClick={() => void navigate({ to: '/incidents/new' })}>
      <span className="max-md:sr-only">{words.openIncident}</span>
    </Button>
  );
}

function Tabs({ tab, team }: { tab: Tab; team: string | undefined }) {
  const counts = useCounts(team);
  const open = counts && words.count(counts.triggered + counts.acknowledged, counts.complete);
  return (
    <nav aria-label={words.which} className="flex min-w-0 flex-wrap gap-1">
      {tabs.map((one) => (
        <TabLink
          key={one}
          to="/incidents"
          search={({ tab: _, ...rest }) => (one === 'open' ? rest : { ...rest, tab: one })}
          isCurrent={one === tab}
        >
          {words.tabs[one]}
          {one === 'open' && open && <span className="ms-1">{open}</span>}
        </TabLink>
      ))}
    </nav>
  );
}
