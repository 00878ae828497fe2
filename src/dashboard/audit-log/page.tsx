// Who changed what, narrowed by what the address says.
import { useSearch } from '@tanstack/react-router';
import { PagerError } from '../api/pager.ts';
import { useMay } from '../api/use-may.ts';
import { SettingsTabs } from '../settings/tabs.tsx';
import { PageHeader } from '../shell/page-header.tsx';
import { pages } from '../shell/pages.ts';
import { useTitle } from '../shell/use-title.ts';
import { Button } from '../ui/button.tsx';
import { Reading } from '../ui/loaded.tsx';
import { NotAllowed } from '../ui/not-allowed.tsx';
import { Empty, Trouble } from '../ui/panel.tsx';
import { words as uiWords } from '../ui/words.ts';
import { EntryRow } from './entry.tsx';
import { ClearFilters, FilterFields } from './filter-fields.tsx';
import { useAuditLog } from './queries.ts';
import { type AuditSearch, auditSearch } from './search.ts';
import { words } from './words.ts';

const { path, least } = pages.auditLog;

export function AuditLogPage() {
  const isAllowed = useMay(least);
  const search = auditSearch(useSearch({ from: path }));
  useTitle(words.title);
  if (isAllowed === false) return <NotAllowed title={words.title} least={least} />;
  if (!isAllowed) return null;
  return (
    <>
      <PageHeader title={words.title} />
      <SettingsTabs current={pages.auditLog} />
      <p className="px-4 py-1 text-pretty text-ink2 md:px-5">{words.text}</p>
      <FilterFields search={search} />
      <Entries search={search} />
    </>
  );
}

function Entries({ search }: { search: AuditSearch }) {
  const query = useAuditLog(search);
  const { data, error, isPlaceholderData } = query;
  if (error instanceof PagerError)
    return <Trouble title={uiWords.notRead} failure={error.failure} retry={query.refetch} />;
  if (data === undefined) return <Reading />;
  const entries = data.pages.flatMap((page) => page.data);
  if (entries.length === 0)
    return Object.keys(search).length === 0 ? (
      <Empty {...words.empty} />
    ) : (
      <Empty {...words.nothingMatches}>
        <ClearFilters />
      </Empty>
    );
  return (
    <div
      aria-busy={isPlaceholderData}
      className={`max-w-5xl px-4 pb-4 md:px-5 ${isPlaceholderData ? 'opacity-60' : ''}`}
    >
      <ol aria-label={words.title}>
        {entries.map((entry) => (
          <EntryRow key={entry.id} entry={entry} />
        ))}
      </ol>
      {query.hasNextPage ? (
        <Button
          className="mt-3"
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {words.more}
        </Button>
      ) : (
        data.pages.at(-1)?.removed_before !== undefined && (
          <p className="mt-2 text-ink3">{words.removed}</p>
        )
      )}
    </div>
  );
}
