import { Link, useSearch } from '@tanstack/react-router';
import { PageHeader } from '../shell/page-header.tsx';
import { IncidentList } from './list.tsx';
import { type Tab, tabs } from './tabs.ts';
import { useListKeys } from './use-list-keys.ts';
import { words } from './words.ts';

export function IncidentsPage() {
  const { tab = 'open', team } = useSearch({ from: '/incidents' });
  useListKeys();
  return (
    <>
      <PageHeader title={words.title} />
      <Tabs tab={tab} />
      <IncidentList key={`${tab} ${team}`} tab={tab} team={team} />
    </>
  );
}

function Tabs({ tab }: { tab: Tab }) {
  return (
    <nav aria-label={words.which} className="flex gap-1 px-3 py-2 md:px-4">
      {tabs.map((one) => (
        <Link
          key={one}
          to="/incidents"
          search={({ team }) => ({ ...(team && { team }), ...(one !== 'open' && { tab: one }) })}
          aria-current={one === tab ? 'page' : undefined}
          className="inline-flex min-h-7 items-center rounded-md border border-transparent px-2.5 text-ink2 hover:text-ink aria-[current]:border-line aria-[current]:bg-surface aria-[current]:font-medium aria-[current]:text-ink pointer-coarse:min-h-11 pointer-coarse:px-3.5 pointer-coarse:text-lg"
        >
          {words.tabs[one]}
        </Link>
      ))}
    </nav>
  );
}
