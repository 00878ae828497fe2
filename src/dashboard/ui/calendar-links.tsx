import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readList } from '../api/pager.ts';
import { useWrite } from '../api/use-write.ts';
import { Button } from './button.tsx';
import { calendarWords as words } from './calendar-words.ts';
import { Confirm } from './confirm.tsx';
import { CopyField } from './copy-field.tsx';
import { FailedWrite } from './failed-write.tsx';
import { Loaded } from './loaded.tsx';

/** Whose shifts, or of which schedule. */
type FeedOf = { readonly user_id?: string; readonly oncall_schedule_id?: string };
export type Feed = FeedOf & { readonly id: string; readonly url: string };

const feedsQuery = (of: FeedOf) =>
  queryOptions({
    queryKey: ['calendar-feeds', of],
    queryFn: () => readList<Feed>('/calendar-feeds', { ...of }),
  });

type CalendarLinksProps = { of: FeedOf; labelOf: (feed: Feed) => string };

/** Those that there are, and another one. */
export function CalendarLinks({ of, labelOf }: CalendarLinksProps) {
  const feeds = useQuery(feedsQuery(of));
  const creating = useWrite(['calendar-feeds']);
  const [made, setMade] = useState<string | null>(null);
  async function create() {
    const feed = await creating.send({ method: 'POST', path: '/calendar-feeds', body: of });
    if (feed !== null) setMade(String(feed['id']));
  }
  return (
    <Loaded query={feeds}>
      {(list) => (
        <div className="flex max-w-xl flex-col gap-3">
          {list.map((feed) => (
            <FeedRow key={feed.id} feed={feed} label={labelOf(feed)} isNew={feed.id === made} />
          ))}
          <Button
            icon="plus"
            className="self-start"
            aria-disabled={creating.isPending}
            onClick={() => void create()}
          >
            {words.create}
          </Button>
          <FailedWrite failure={creating.failure} />
        </div>
      )}
    </Loaded>
  );
}

type FeedRowProps = { feed: Feed; label: string; isNew: boolean };

/** The link is a secret: of an older one it is shown on demand. */
function FeedRow({ feed, label, isNew }: FeedRowProps) {
  const [isShown, setShown] = useState(isNew);
  const [isRevoking, setRevoking] = useState(false);
  const revoking = useWrite(['calendar-feeds']);
  const revoke = async () => {
    const path = `/calendar-feeds/${feed.id}`;
    if ((await revoking.send({ method: 'DELETE', path })) !== null) setRevoking(false);
  };
  return (
    <div className="flex flex-col gap-1 border-b border-line pb-3">
      <div className="flex flex-wrap items-center gap-2">
        <bdi className="me-auto font-medium">{label}</bdi>
        {!isShown && <Button onClick={() => setShown(true)}>{words.show}</Button>}
        <Button onClick={() => setRevoking(true)}>{words.revoke}</Button>
      </div>
      {isShown && <CopyField label={words.link} text={feed.url} />}
      {isRevoking && (
        <Confirm
          title={words.revokeTitle}
          text={words.revokeText}
          action={words.revoke}
          writing={revoking}
          onConfirm={() => void revoke()}
          onClose={() => setRevoking(false)}
        />
      )}
    </div>
  );
}
