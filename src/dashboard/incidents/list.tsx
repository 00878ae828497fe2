import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { PagerError } from '../api/pager.ts';
import { serviceNamesQuery } from '../api/queries.ts';
import { useTitle } from '../shell/use-title.ts';
import { Button } from '../ui/button.tsx';
import { Empty, Trouble } from '../ui/panel.tsx';
import { merge } from './arrivals.ts';
import { IncidentGroups } from './groups.tsx';
import type { ListedIncident } from './incident.ts';
import { IncidentsSkeleton } from './skeleton.tsx';
import { queryOf, type Tab } from './tabs.ts';
import { useIncidents } from './use-incidents.ts';
import { useReaderIsAt } from './use-reader-is-at.ts';
import { words } from './words.ts';

export function IncidentList({ tab, team }: { tab: Tab; team: string | undefined }) {
  const query = useIncidents(queryOf({ tab, team }));
  const { data: services } = useQuery(serviceNamesQuery);
  const [isHeld, reading] = useReaderIsAt();
  const before = useRef<readonly ListedIncident[]>([]);
  const [, showArrivals] = useState(0);
  const latest = query.data?.pages.flatMap(({ incidents }) => incidents) ?? [];
  const placed = latest.map((incident) => ({ ...incident, group: incident.status }));
  const { rows, waiting, gone } = merge(before.current, placed, isHeld);
  before.current = rows;
  const triggered = latest.filter(({ status }) => status === 'triggered').length;
  useTitle(words.title, triggered);

  if (query.data === undefined)
    return query.error instanceof PagerError ? (
      <Trouble title={words.failed} failure={query.error.failure} retry={query.refetch} />
    ) : (
      <IncidentsSkeleton />
    );
  if (rows.length === 0) return <Empty {...words.empty[tab]} />;
  const show = () => {
    before.current = [];
    showArrivals((count) => count + 1);
  };
  const isWhole = !query.hasNextPage;
  return (
    <div {...reading}>
      {query.isRefetchError && <Notice text={words.stale} />}
      <div aria-live="polite" className="empty:hidden">
        {waiting > 0 && (
          <Notice text={words.arrived(waiting)} action={words.show} onAction={show} />
        )}
      </div>
      <IncidentGroups {...{ rows, gone, services, isWhole }} isGrouped={tab === 'open'} />
      {!isWhole && (
        <div className="flex justify-center border-t border-line p-4">
          <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {words.more}
          </Button>
        </div>
      )}
    </div>
  );
}

type NoticeProps = { text: string; action?: string; onAction?: () => void };

function Notice({ text, action, onAction }: NoticeProps) {
  return (
    <div className="sticky top-13 z-10 flex items-center gap-3 border-t border-line bg-amber-tint px-4 py-2 md:px-5">
      <span className="font-medium">{text}</span>
      {action && (
        <Button className="ms-auto" onClick={onAction}>
          {action}
        </Button>
      )}
    </div>
  );
}
