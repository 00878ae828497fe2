import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { once } from '../../resources/once.ts';
import { PagerError } from '../api/pager.ts';
import { useMay } from '../api/use-may.ts';
import { sameTeam } from '../shell/pages.ts';
import { Button } from '../ui/button.tsx';
import { Countdown } from '../ui/countdown.tsx';
import { Moment } from '../ui/moment.tsx';
import { useNow } from '../ui/now.ts';
import { Trouble } from '../ui/panel.tsx';
import { Sentence } from '../ui/sentence.tsx';
import { type Forecast, type Incident, restOf } from './incident.ts';
import { isFailed, mendsOf } from './mends.ts';
import { NoteForm } from './note-form.tsx';
import { PartFailed } from './part-failed.tsx';
import { useForecast, useNotices, useTimeline } from './queries.ts';
import { SentNotices } from './sent-notices.tsx';
import { TimelineSkeleton } from './skeleton.tsx';
import {
  type Entry,
  type Filter,
  filters,
  isShown,
  otherOf,
  type Row,
  rowsOf,
  statusAfter,
} from './story.ts';
import { Way } from './way.tsx';
import { words } from './words.ts';

type TimelineProps = { id: string; incident: Incident; isActing: boolean };

/** Past, now and what comes if nobody acts, on one axis. */
export function Timeline({ id, incident, isActing }: TimelineProps) {
  const [filter, setFilter] = useState<Filter>('all');
  const query = useTimeline(id);
  const notices = useNotices(id);
  const forecast = useForecast(id);
  // Entries stand without what became of them rather than not at all.
  const isRead = query.data !== undefined && (notices.data !== undefined || notices.isError);
  const pages = query.data?.pages ?? [];
  const entries = pages.flatMap(({ data }) => data).toReversed();
  const rows = rowsOf(entries, notices.data ?? null).filter((row) => isShown(row, filter));
  const removed = pages.at(-1)?.removed;
  return (
    <section aria-labelledby="timeline" className="incident-timeline min-w-0">
      <div className="mb-1 flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 id="timeline" className="text-sm font-medium text-ink2">
          {words.timeline}
        </h2>
        <Filters filter={filter} choose={setFilter} />
      </div>
      {isActing && <NoteForm id={id} />}
      {query.data === undefined && query.error instanceof PagerError && (
        <Trouble title={words.partFailed} failure={query.error.failure} retry={query.refetch} />
      )}
      {query.hasNextPage && (
        <Button
          className="mb-2"
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {words.earlier}
        </Button>
      )}
      {removed && <p className="mb-2 text-ink2">{words.removed(removed.entries)}</p>}
      {query.data !== undefined && <PartFailed text={words.noticesFailed} query={notices} />}
      {!isRead && !query.isError && <TimelineSkeleton />}
      {isRead && (
        <ol className="timeline">
          {rows.map((row, index) => (
            <PastEntry key={row.entry.cursor} row={row} before={rows[index - 1]} />
          ))}
          {rows.length === 0 && (
            <li className="timeline-entry">
              <span className="timeline-text text-ink2">{words.nothingMatches}</span>
            </li>
          )}
          <NowLine />
          {forecast.data && <Future forecast={forecast.data} incident={incident} />}
        </ol>
      )}
      {isRead && <PartFailed text={words.forecastFailed} query={forecast} />}
    </section>
  );
}

const Filters = ({ filter, choose }: { filter: Filter; choose: (filter: Filter) => void }) => (
  <fieldset className="flex">
    <legend className="sr-only">{words.which}</legend>
    {filters.map((one) => (
      <button
        key={one}
        type="button"
        aria-pressed={one === filter}
        onClick={() => choose(one)}
        className="min-h-7 rounded-md border border-transparent px-2 text-sm text-ink2 hover:text-ink aria-pressed:border-line aria-pressed:bg-surface aria-pressed:font-medium aria-pressed:text-ink pointer-coarse:min-h-11 pointer-coarse:px-3 pointer-coarse:text-base"
      >
        {words.filters[one]}
      </button>
    ))}
  </fieldset>
);

const day = once(
  () => new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' }),
);
const dayOf = (at: string) => new Date(at).toDateString();

function PastEntry({ row, before }: { row: Row; before: Row | undefined }) {
  const { entry, notices } = row;
  const today = new Date(useNow()).toDateString();
  const isNewDay = dayOf(entry.at) !== (before === undefined ? today : dayOf(before.entry.at));
  return (
    <li
      className="timeline-entry"
      data-status={statusAfter(entry) ?? undefined}
      data-failed={isFailed(row) || undefined}
    >
      {isNewDay && <span className="timeline-day">{day().format(new Date(entry.at))}</span>}
      <span className="timeline-time">
        <Moment at={entry.at} to="second" isDayKnown />
      </span>
      <span className="timeline-dot" aria-hidden="true" />
      <div className="timeline-text">
        <p className="whitespace-pre-line wrap-anywhere">
          {entry.type === 'note' && entry.actor && (
            <bdi className="me-1.5 font-medium">{entry.actor.name}</bdi>
          )}
          <Sentence text={entry.text} />
          {entry.actor && <Way actor={entry.actor} />}
          {otherOf(entry) !== null && (
            <Link
              to="/incidents/$number"
              params={{ number: otherOf(entry) ?? '' }}
              className="ms-1.5 text-iris underline"
            >
              {words.goThere}
            </Link>
          )}
        </p>
        <Mends entry={entry} />
        {notices.length > 0 && <SentNotices notices={notices} />}
      </div>
    </li>
  );
}

function Mends({ entry }: { entry: Entry }) {
  const maySetUp = useMay('manager');
  const mends = mendsOf(entry).filter(({ to }) => to !== '/settings/channels' || maySetUp);
  if (mends.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-x-3">
      {mends.map((mend) => (
        <li key={'id' in mend ? mend.id : mend.to}>
          <Link
            to={mend.to}
            params={{ id: 'id' in mend ? mend.id : '' }}
            search={sameTeam}
            className="inline-flex min-h-6 items-center text-iris underline pointer-coarse:min-h-11"
          >
            {'id' in mend ? <bdi>{words.goTo(mend.name)}</bdi> : words.setUpChannels}
          </Link>
        </li>
      ))}
    </ul>
  );
}

const NowLine = () => (
  <li className="timeline-now">
    <span>
      {words.now} <Moment at={new Date(useNow()).toISOString()} isDayKnown />
    </span>
  </li>
);

type FutureProps = { forecast: Forecast; incident: Incident };

const Future = ({ forecast: { data, end }, incident }: FutureProps) => (
  <>
    {data.map(({ at, type, text }) => (
      <li key={`${at} ${type}`} className="timeline-entry timeline-ahead">
        <span className="timeline-time">
          <Countdown at={at} />
        </span>
        <span className="timeline-dot" aria-hidden="true" />
        <p className="timeline-text wrap-anywhere">
          <Sentence text={text} />
        </p>
      </li>
    ))}
    <li className="timeline-entry timeline-ahead">
      <p className="timeline-text text-ink2">
        {data.length === 0 ? words[restOf(incident)] : words.afterwards[end]}
      </p>
    </li>
  </>
);
