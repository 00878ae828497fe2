// The incidents behind a figure.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PagerError } from '../api/pager.ts';
import { ofItsOwn } from '../api/queries.ts';
import { ColumnHeads } from '../incidents/column-heads.tsx';
import { incidentsQuery } from '../incidents/queries.ts';
import { IncidentRows } from '../incidents/rows.tsx';
import { words as incidentWords } from '../incidents/words.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Reading } from '../ui/loaded.tsx';
import { Empty, Trouble } from '../ui/panel.tsx';
import { type ReportSearch, withoutList } from './search.ts';
import { words } from './words.ts';

type ListProps = { search: ReportSearch; query: Readonly<Record<string, string>> };

export const IncidentList = ({ search, query }: ListProps) => (
  <>
    <div className="flex flex-wrap items-center justify-between gap-2 px-4 py-3 md:px-5">
      <h2 className="min-w-0 text-lg font-bold wrap-anywhere">{titleOf(search)}</h2>
      <Link to="/reports" search={withoutList} className={buttonClass()}>
        {words.back}
      </Link>
    </div>
    <Incidents query={query} />
  </>
);

function titleOf({ weekday, hour = 0, week, key, acknowledged, verdicts }: ReportSearch): string {
  if (verdicts !== undefined) return words.lists.verdicts(verdicts, key);
  if (weekday !== undefined) return words.lists.hour(weekday, hour);
  if (week !== undefined) return words.lists.week(week, acknowledged);
  return key === undefined ? words.lists.all : words.lists.key(key, acknowledged);
}

function Incidents({ query: wanted }: Pick<ListProps, 'query'>) {
  const query = useInfiniteQuery({ ...incidentsQuery(wanted), ...ofItsOwn });
  if (query.data === undefined) {
    const { error } = query;
    if (!(error instanceof PagerError)) return <Reading />;
    return <Trouble title={incidentWords.failed} failure={error.failure} retry={query.refetch} />;
  }
  const incidents = query.data.pages.flatMap((page) => page.incidents);
  return (
    <section aria-label={words.listTitle}>
      {incidents.length === 0 ? (
        <Empty {...words.nothing} />
      ) : (
        <>
          <ColumnHeads />
          <IncidentRows incidents={incidents} />
        </>
      )}
      {query.hasNextPage && (
        <div className="flex justify-center p-4">
          <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {words.more}
          </Button>
        </div>
      )}
    </section>
  );
}
