import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWrite } from '../api/use-write.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { CopyField } from '../ui/copy-field.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Section } from '../ui/section.tsx';
import { type Feed, feedsQuery } from './queries.ts';
import { words } from './words.ts';

export function CalendarSection({ userId }: { userId: string }) {
  const feeds = useQuery(feedsQuery(userId));
  const creating = useWrite(['calendar-feeds']);
  const [made, setMade] = useState<string | null>(null);
  async function create() {
    const body = { user_id: userId };
    const feed = await creating.send({ method: 'POST', path: '/calendar-feeds', body });
    if (feed !== null) setMade(String(feed['id']));
  }
  return (
    <Section title={words.calendar} text={words.calendarText}>
      <Loaded query={feeds}>
        {(list) => (
          <div className="flex max-w-xl flex-col gap-3">
            {list.map((feed) => (
              <FeedRow key={feed.id} feed={feed} isNew={feed.id === made} />
            ))}
            <Button
              icon="plus"
              className="self-start"
              aria-disabled={creating.isPending}
              onClick={() => void create()}
            >
              {words.createLink}
            </Button>
            <FailedWrite failure={creating.failure} />
          </div>
        )}
      </Loaded>
    </Section>
  );
}

/** The link is a secret: of an older one it is shown on demand. */
function FeedRow({ feed, isNew }: { feed: Feed; isNew: boolean }) {
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
        <span className="me-auto font-medium">
          {feed.oncall_schedule_id === undefined ? words.allMyShifts : words.ofOneSchedule}
        </span>
        {!isShown && <Button onClick={() => setShown(true)}>{words.showLink}</Button>}
        <Button onClick={() => setRevoking(true)}>{words.revoke}</Button>
      </div>
      {isShown && <CopyField label={words.calendarLink} text={feed.url} />}
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
