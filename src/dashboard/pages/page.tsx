// Every page to a person or chat that the reader may see, and whether it arrived.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { mayAct, type Role } from '../../resources/roles.ts';
import { PagerError } from '../api/pager.ts';
import { sessionQuery } from '../api/queries.ts';
import { Notice } from '../incidents/notice.tsx';
import { PageHeader } from '../shell/page-header.tsx';
import { useTitle } from '../shell/use-title.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { FilterBar } from '../ui/filter-bar.tsx';
import { Reading } from '../ui/loaded.tsx';
import { Empty, Trouble } from '../ui/panel.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { DayBars } from './day-bars.tsx';
import { FilterFields, useFilterTexts } from './filter-fields.tsx';
import { type FilterName, filterNames, type PageFilters, pageFiltersOf } from './filters.ts';
import { PageRow } from './page-row.tsx';
import { pagesQuery } from './queries.ts';
import { csvAddressOf, incidentIn, queryOf } from './query.ts';
import { words } from './words.ts';

const path = '/pages';

export function PagesPage() {
  const searched = useSearch({ from: path });
  const filters = pageFiltersOf(searched);
  const [isOpen, setOpen] = useState(false);
  const textOf = useFilterTexts(filters);
  const navigate = useNavigate({ from: path });
  useTitle(words.title);
  const set = (name: FilterName | 'incident', value: string) =>
    void navigate({
      search: ({ [name]: _, ...rest }) => (value ? { ...rest, [name]: value } : rest),
      replace: true,
      resetScroll: false,
    });
  const clear = () =>
    void navigate({ search: ({ team }) => (team ? { team } : {}), replace: true });
  const query = queryOf(filters);
  return (
    <>
      <PageHeader title={words.title}>
        <SearchField
          label={words.search}
          text={filters.incident ?? ''}
          onChange={(text) => set('incident', text)}
        />
      </PageHeader>
      <FilterBar
        set={filterNames.flatMap((name) => {
          const value = filters[name];
          return value === undefined ? [] : [{ name, text: textOf(name, String(value)) }];
        })}
        onRemove={(name) => set(name, '')}
        isOpen={isOpen}
        onOpen={setOpen}
        fields={<FilterFields filters={filters} onChange={set} />}
      >
        <Whose />
        {query && (
          <a
            href={csvAddressOf(query)}
            download
            title={words.csvTitle}
            className={`${buttonClass()} ms-auto min-h-8 whitespace-nowrap`}
          >
            {words.csv}
          </a>
        )}
      </FilterBar>
      {query && <DayBars filters={filters} />}
      <PageList filters={filters} clear={clear} />
    </>
  );
}

function Whose() {
  const { data } = useQuery(sessionQuery);
  return <p className="min-w-0 ps-1 text-pretty text-ink2">{data && whoseOf(data.user)}</p>;
}

/** As the API answers them. */
function whoseOf(person: { readonly role: Role }): string {
  if (mayAct(person, 'admin')) return words.all;
  return mayAct(person, 'manager') ? words.ofTeams : words.own;
}

function PageList({ filters, clear }: { filters: PageFilters; clear: () => void }) {
  const wanted = queryOf(filters);
  const query = useInfiniteQuery(pagesQuery(wanted));
  if (wanted === null) {
    const isUnknown = filters.incident !== undefined && incidentIn(filters.incident) === null;
    return <Nothing of={isUnknown ? words.noIncident : words.noInterval} clear={clear} />;
  }
  if (query.data === undefined) {
    const { error } = query;
    if (!(error instanceof PagerError)) return <Reading />;
    return <Trouble title={words.failed} failure={error.failure} retry={query.refetch} />;
  }
  const pages = query.data.pages.flatMap(({ data }) => data);
  if (pages.length === 0) {
    if (query.hasNextPage)
      return (
        <Empty {...words.noneSoFar}>
          <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {words.searchOlder}
          </Button>
        </Empty>
      );
    const isNarrowed = Object.keys(filters).length > 0;
    if (!isNarrowed) return <Empty {...words.empty} />;
    return <Nothing of={words.nothingMatches} clear={clear} />;
  }
  return (
    <div
      aria-busy={query.isPlaceholderData}
      className={query.isPlaceholderData ? 'opacity-60' : ''}
    >
      {query.isRefetchError && <Notice text={words.stale} />}
      <ol aria-label={words.title}>
        {pages.map((page) => (
          <li
            key={page.key}
            className="border-b border-line px-4 py-2.5 [content-visibility:auto] md:px-5"
          >
            <PageRow page={page} />
          </li>
        ))}
      </ol>
      {query.hasNextPage && (
        <div className="flex justify-center p-4">
          <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {words.more}
          </Button>
        </div>
      )}
    </div>
  );
}

type NothingProps = {
  of: { readonly title: string; readonly text: string };
  clear: () => void;
};

const Nothing = ({ of, clear }: NothingProps) => (
  <Empty {...of}>
    <Button icon="x" onClick={clear}>
      {words.clear}
    </Button>
  </Empty>
);
