// What is archived, of all kinds, and the way back, which only a session has.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../api/use-may.ts';
import { Restore } from '../records/restore.tsx';
import { SettingsTabs } from '../settings/tabs.tsx';
import { PageHeader } from '../shell/page-header.tsx';
import { pages, recordPages, sameTeam } from '../shell/pages.ts';
import { useTitle } from '../shell/use-title.ts';
import { Button } from '../ui/button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Empty } from '../ui/panel.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { ShownList } from '../ui/shown-list.tsx';
import { Tab, Tabs } from '../ui/tabs.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { type Archived, archivedOf } from './archive.ts';
import { archivedKinds, archiveQuery } from './queries.ts';
import { words } from './words.ts';

const path = '/settings/archive';

export function ArchivePage() {
  const { kind, q = '' } = useSearch({ from: path });
  const navigate = useNavigate({ from: path });
  const query = useQuery(archiveQuery);
  const mayRestore = useMay('admin');
  const [restored, setRestored] = useState<Archived | null>(null);
  useTitle(words.title);
  const search = (text: string) =>
    void navigate({
      search: ({ q: _, ...rest }) => (text ? { ...rest, q: text } : rest),
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <PageHeader title={words.title}>
        <SearchField label={words.search} text={q} onChange={search} />
      </PageHeader>
      <SettingsTabs current={pages.archive} />
      <Tabs label={words.which}>
        {[undefined, ...archivedKinds].map((one) => (
          <Tab
            key={one ?? ''}
            to={path}
            search={({ kind: _, ...rest }) => (one === undefined ? rest : { ...rest, kind: one })}
            isCurrent={one === kind}
          >
            {one === undefined ? words.all : (words.kinds[one] ?? one)}
          </Tab>
        ))}
      </Tabs>
      <div className="px-4 md:px-5">
        <p className="py-2 text-pretty text-ink2">
          {words.text} {mayRestore === false && words.onlyAdmins}
        </p>
        <p role="status" className="font-medium text-green empty:hidden">
          {restored && <RestoredText one={restored} />}
        </p>
      </div>
      <Loaded query={query}>
        {(all) => {
          const shown = archivedOf(all, { kind, text: q });
          if (shown.length > 0)
            return (
              <Rows
                key={`${kind} ${q}`}
                shown={shown}
                mayRestore={mayRestore === true}
                onRestored={setRestored}
              />
            );
          if (q === '') return <Empty {...words.empty} />;
          return (
            <Empty {...words.nothingMatches}>
              <Button icon="x" onClick={() => search('')}>
                {words.clear}
              </Button>
            </Empty>
          );
        }}
      </Loaded>
    </>
  );
}

function RestoredText({ one: { kind, id, name } }: { one: Archived }) {
  const page = recordPages[kind];
  return (
    <>
      <bdi>{words.restored(name)}</bdi>{' '}
      {page && (
        <Link to={`${page.path}/${id}` as string} search={sameTeam} className="underline">
          {words.restoredLink}
        </Link>
      )}
    </>
  );
}

type RowsProps = {
  shown: readonly Archived[];
  mayRestore: boolean;
  onRestored: (one: Archived) => void;
};

function Rows({ shown, mayRestore, onRestored }: RowsProps) {
  return (
    <ShownList label={words.title} all={shown}>
      {(one) => (
        <Row
          key={`${one.kind} ${one.id}`}
          one={one}
          mayRestore={mayRestore}
          onRestored={onRestored}
        />
      )}
    </ShownList>
  );
}

type RowProps = { one: Archived; mayRestore: boolean; onRestored: (one: Archived) => void };

function Row({ one, mayRestore, onRestored }: RowProps) {
  const { kind, id, name, archived_at } = one;
  const page = recordPages[kind];
  return (
    <li className="border-b border-line px-4 py-2 [content-visibility:auto] md:px-5">
      <div className="flex min-h-11 items-center gap-3">
        <span className="min-w-0 flex-1">
          {page && kind !== 'team' ? (
            <Link
              to={`${page.path}/${id}` as string}
              search={sameTeam}
              className="block truncate font-medium underline"
            >
              <bdi>{name}</bdi>
            </Link>
          ) : (
            <bdi className="block truncate font-medium">{name}</bdi>
          )}
          <span className="block truncate text-sm text-ink3">
            {words.kinds[kind] ?? kind} · <TimeAgo at={archived_at} isSpelledOut />
          </span>
        </span>
        {mayRestore && (
          <Restore one={one} label={words.restoreOne(name)} onRestored={() => onRestored(one)} />
        )}
      </div>
    </li>
  );
}
