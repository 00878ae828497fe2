// The list of the records of a kind.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMay } from '../api/use-may.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { sameTeam } from '../shell/pages.ts';
import { useTeams } from '../shell/team-label.tsx';
import { useTitle } from '../shell/use-title.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Empty } from '../ui/panel.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { ShownList } from '../ui/shown-list.tsx';
import { Tab, Tabs } from '../ui/tabs.tsx';
import { recordsQuery } from './queries.ts';
import {
  type AnySearch,
  type DashboardRecord,
  displayNameOf,
  pathOf,
  pathOfNew,
  type RecordKind,
  recordsOf,
} from './record.ts';
import type { RecordsSearch } from './search.ts';
import { words } from './words.ts';

type RecordsPageProps = {
  kind: RecordKind;
  /** Below the name of a record: what it is. */
  note?: (record: DashboardRecord) => ReactNode;
  /** At the end of its row: how it fares. */
  aside?: (record: DashboardRecord) => ReactNode;
  /** Behind it: what can be done with it there. */
  actions?: (record: DashboardRecord) => ReactNode;
  /** In place of the order by name. */
  order?: (records: readonly DashboardRecord[]) => readonly DashboardRecord[];
};

export function RecordsPage({ kind, ...row }: RecordsPageProps) {
  const { show, q }: RecordsSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const teams = useTeams();
  const isArchived = show === 'archived';
  const query = useQuery(recordsQuery(kind, { teams, isArchived }));
  const mayCreate = useMay('manager');
  const { title, one } = kind.words;
  useTitle(title);
  const search = (text: string) =>
    void navigate({
      to: kind.path,
      search: ({ q: _, ...rest }: AnySearch) => (text ? { ...rest, q: text } : rest),
      replace: true,
      resetScroll: false,
    });
  const create = mayCreate && (
    <Link to={pathOfNew(kind)} search={sameTeam} className={buttonClass('primary')}>
      <Icon name="plus" />
      {words.create(one)}
    </Link>
  );
  return (
    <>
      <PageHeader title={title}>
        <SearchField label={words.search(title)} text={q ?? ''} onChange={search} />
        {create}
      </PageHeader>
      <Tabs label={words.which}>
        {([undefined, 'archived'] as const).map((which) => (
          <Tab
            key={which ?? ''}
            to={kind.path}
            search={({ show: _, ...rest }: AnySearch) =>
              which === undefined ? rest : { ...rest, show: which }
            }
            isCurrent={which === show}
          >
            {which === undefined ? words.active : words.archivedTab}
          </Tab>
        ))}
      </Tabs>
      <Loaded query={query}>
        {(records) => {
          const matching = recordsOf(records, q);
          if (matching.length > 0)
            return <Rows key={String(isArchived)} kind={kind} records={matching} {...row} />;
          if (q !== undefined)
            return (
              <Empty {...words.nothingMatches}>
                <Button icon="x" onClick={() => search('')}>
                  {words.clear}
                </Button>
              </Empty>
            );
          return isArchived ? (
            <Empty {...words.noArchived} />
          ) : (
            <Empty {...kind.words.empty}>{create}</Empty>
          );
        }}
      </Loaded>
    </>
  );
}

type RowsProps = RecordsPageProps & { records: readonly DashboardRecord[] };

function Rows({ kind, records, note, aside, actions, order }: RowsProps) {
  return (
    <ShownList label={kind.words.title} all={order ? order(records) : records}>
      {(record) => (
        <li
          key={record.id}
          className="flex items-center border-b border-line [content-visibility:auto]"
        >
          <Link
            to={pathOf(kind, record.id)}
            search={sameTeam}
            className="flex min-h-14 min-w-0 flex-1 items-center gap-3 px-4 py-2 hover:bg-sunken md:px-5"
          >
            <span className="min-w-0 flex-1">
              <bdi className="block truncate font-medium">{displayNameOf(record)}</bdi>
              <span className="block truncate text-sm text-ink3 empty:hidden">
                {note?.(record)}
              </span>
            </span>
            {aside?.(record)}
          </Link>
          {actions?.(record)}
        </li>
      )}
    </ShownList>
  );
}
