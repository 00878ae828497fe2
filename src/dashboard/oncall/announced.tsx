import { type InfiniteData, type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query';
import { visibleText } from '../../resources/visible-text.ts';
import { PagerError } from '../api/pager.ts';
import { namesById } from '../people/names-by-id.ts';
import { peopleQuery } from '../people/queries.ts';
import { Button } from '../ui/button.tsx';
import { channelName } from '../ui/channel.ts';
import { Reading } from '../ui/loaded.tsx';
import { useNow } from '../ui/now.ts';
import { Empty, Trouble } from '../ui/panel.tsx';
import { PersonMark } from '../ui/person-mark.tsx';
import { type Announced, announcedOf, type Change, type Notice } from './announced.ts';
import { type LogPage, useChangeNotices, useShiftEvents } from './queries.ts';
import { fullText, spanText } from './times.ts';
import { words as listWords, announcedWords as words } from './words.ts';

type AnnouncedTabProps = { id: string; zone: string };

export function AnnouncedTab({ id, zone }: AnnouncedTabProps) {
  const [events, notices] = [useShiftEvents(id), useChangeNotices(id)];
  const { data: members = [] } = useQuery(peopleQuery);
  const failed = [events, notices].find(({ data, error }) => data === undefined && error !== null);
  if (failed?.error instanceof PagerError) {
    const { failure } = failed.error;
    return <Trouble title={words.failed} failure={failure} retry={failed.refetch} />;
  }
  if (events.data === undefined || notices.data === undefined) return <Reading />;
  const announced = announcedOf(readOf(events), readOf(notices));
  const removed = [events, notices].flatMap(
    ({ data }) => data?.pages.at(-1)?.removed_before ?? [],
  )[0];
  const more = [events, notices].filter(({ hasNextPage }) => hasNextPage);
  if (announced.length === 0 && more.length === 0) return <Empty {...words.empty} />;
  const names = namesById(members);
  return (
    <div className="max-w-4xl px-4 py-4 md:px-5">
      <p className="text-sm text-ink2">{words.times(zone)}</p>
      <ol className="mt-1">
        {announced.map((one) => (
          <Row key={one.key} announced={one} names={names} zone={zone} />
        ))}
      </ol>
      {removed && more.length === 0 && (
        <p className="mt-3 text-ink2">{words.removed(fullText(zone, Date.parse(removed), 0))}</p>
      )}
      {more.length > 0 && (
        <Button
          className="mt-3"
          disabled={more.some(({ isFetchingNextPage }) => isFetchingNextPage)}
          onClick={() => {
            for (const { fetchNextPage } of more) void fetchNextPage();
          }}
        >
          {words.earlier}
        </Button>
      )}
    </div>
  );
}

const readOf = <One,>({
  data,
  hasNextPage,
}: UseInfiniteQueryResult<InfiniteData<LogPage<One>>>) => ({
  list: data?.pages.flatMap((page) => page.data) ?? [],
  hasMore: hasNextPage,
});

type RowProps = { announced: Announced; names: ReadonlyMap<string, string>; zone: string };

function Row({ announced, names, zone }: RowProps) {
  const now = useNow();
  const { at, kind, userId, shift, changes, reason, notices } = announced;
  const name = names.get(userId) ?? listWords.somebody;
  return (
    <li className="grid gap-x-4 gap-y-1 border-t border-line py-3 md:grid-cols-[11rem_minmax(0,1fr)_minmax(0,1fr)]">
      <time dateTime={at} className="text-sm text-ink2 md:text-base">
        {fullText(zone, Date.parse(at), now)}
      </time>
      <div className="min-w-0">
        <p className="flex min-w-0 items-start gap-2 font-medium">
          <PersonMark id={userId} name={name} />
          <span className="min-w-0">
            <bdi>{name}</bdi> {words.kinds[kind]}
          </span>
        </p>
        <div className="text-sm text-ink2">
          {shift && <p>{spanText(zone, instantsOf(shift), now)}</p>}
          <Changes changes={changes} zone={zone} />
        </div>
      </div>
      <ul className="min-w-0">
        {notices.map((notice, index) => (
          <NoticeItem key={`${notice.channel} ${index}`} notice={notice} />
        ))}
        {notices.length === 0 && (
          <li className="text-ink2">
            {words.nobody}
            {reason !== undefined && `: ${visibleText(reason)}`}
          </li>
        )}
      </ul>
    </li>
  );
}

const SHOWN_AT_FIRST = 3;

function Changes({ changes, zone }: { changes: readonly Change[]; zone: string }) {
  const now = useNow();
  const line = (change: Change) => (
    <p key={`${change.type} ${change.start}`}>{changeText(change, zone, now)}</p>
  );
  const more = changes.slice(SHOWN_AT_FIRST);
  return (
    <>
      {changes.slice(0, SHOWN_AT_FIRST).map(line)}
      {more.length > 0 && (
        <details>
          <summary className="min-h-6 cursor-pointer hover:text-ink pointer-coarse:py-2.5">
            {words.more(more.length)}
          </summary>
          {more.map(line)}
        </details>
      )}
    </>
  );
}

const instantsOf = ({ start, end }: { start: string; end: string }) => ({
  start: Date.parse(start),
  end: Date.parse(end),
});

function changeText({ type, start, end }: Change, zone: string, now: number): string {
  const when =
    end === null
      ? words.fromThen(fullText(zone, Date.parse(start), now))
      : spanText(zone, instantsOf({ start, end }), now);
  return type === 'gained' ? words.gained(when) : words.lost(when);
}

/** A failure is read without opening anything. */
function NoticeItem({ notice }: { notice: Notice }) {
  const { channel, recipient, state, reason, attempts } = notice;
  const isFailed = state === 'failed';
  return (
    <li className="wrap-anywhere">
      {channelName(channel)}
      {recipient !== undefined && (
        <>
          {' · '}
          <bdi>{recipient}</bdi>
        </>
      )}
      {' · '}
      <span className={isFailed ? 'font-medium text-red' : 'text-ink2'}>
        {attempts > 1 ? words.afterAttempts(words.states[state], attempts) : words.states[state]}
      </span>
      {reason !== undefined && state !== 'sent' && (
        <span className="block text-sm text-pretty text-ink2">{reason}</span>
      )}
    </li>
  );
}
