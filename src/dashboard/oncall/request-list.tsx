import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { useWrite } from '../api/use-write.ts';
import { namesById } from '../people/names-by-id.ts';
import { peopleQuery } from '../people/queries.ts';
import { Button } from '../ui/button.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { useNow } from '../ui/now.ts';
import { onBothClocks } from './both-clocks.ts';
import type { CoverRequest } from './queries.ts';
import { allowedOn, requestText } from './requests.ts';
import { spanText } from './times.ts';
import { words as listWords, requestWords as words } from './words.ts';

type RequestsProps = {
  requests: readonly CoverRequest[];
  zone: string;
  ownZone: string | null;
  opened?: string | undefined;
  namesSchedules?: boolean;
};

/** Cover requests, with what the reader can do. */
export function RequestList({ requests, opened, ...shown }: RequestsProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [done, setDone] = useState('');
  if (requests.length === 0 && done === '') return null;
  const onDone = (text: string) => {
    setDone(text);
    heading.current?.focus();
  };
  return (
    <section aria-labelledby="cover-requests" className="py-1">
      <h2 ref={heading} id="cover-requests" tabIndex={-1} className="text-lg font-bold">
        {words.title}
      </h2>
      <p role="status" className="text-ink2 empty:hidden">
        {done}
      </p>
      <ul className="mt-1 max-w-3xl">
        {requests.map((request) => (
          <Row
            key={request.id}
            request={request}
            isOpened={request.id === opened}
            onDone={onDone}
            {...shown}
          />
        ))}
      </ul>
    </section>
  );
}

type RowProps = Omit<RequestsProps, 'requests' | 'opened'> & {
  request: CoverRequest;
  isOpened: boolean;
  onDone: (text: string) => void;
};

function Row({ request, zone, ownZone, namesSchedules, isOpened, onDone }: RowProps) {
  const now = useNow();
  const row = useRef<HTMLLIElement>(null);
  const { data: session } = useQuery(sessionQuery);
  const { data: members = [] } = useQuery(peopleQuery);
  const write = useWrite(['on-calls']);
  const { oncall_schedule_id, schedule_name, start, end, comment } = request;
  useEffect(() => {
    if (isOpened) row.current?.focus();
  }, [isOpened]);
  const names = namesById(members);
  const nameOf = (id: string) => names.get(id) ?? listWords.somebody;
  const span = { start: Date.parse(start), end: Date.parse(end) };
  const time = onBothClocks(zone, span.start, (shown) => spanText(shown, span, now), ownZone);
  const text = requestText(request, { time, nameOf });
  const isOpen = request.state === 'open';
  const allowed = session && isOpen ? allowedOn(request, session.user) : undefined;
  const path = `/on-calls/${oncall_schedule_id}/cover-requests/${request.id}`;
  const take = async () => {
    const taken = await write.send({ method: 'POST', path: `${path}/accept`, name: words.take });
    if (taken !== null) onDone(words.taken(time));
  };
  const withdraw = async () => {
    const withdrawn = await write.send({ method: 'DELETE', path, name: words.withdraw });
    if (withdrawn !== null) onDone(words.withdrawn(nameOf(request.user_id), time));
  };
  return (
    <li
      ref={row}
      tabIndex={isOpened ? -1 : undefined}
      className={`flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line py-2 ${isOpened ? '-mx-2 bg-sunken px-2' : ''}`}
    >
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          <bdi>{text}</bdi>
        </p>
        {namesSchedules && (
          <Link
            to="/on-calls/$id"
            params={{ id: oncall_schedule_id }}
            search={{ request: request.id }}
            className="inline-flex min-h-6 items-center text-sm underline pointer-coarse:min-h-11"
          >
            <bdi>{schedule_name}</bdi>
          </Link>
        )}
        {comment && (
          <p className="text-sm break-words text-ink2">
            <bdi>{comment}</bdi>
          </p>
        )}
        <FailedWrite failure={write.failure} />
      </div>
      {allowed?.canTake && (
        <Button
          icon="check"
          aria-label={`${words.take}: ${text}`}
          aria-disabled={write.isPending}
          onClick={() => void take()}
        >
          {words.take}
        </Button>
      )}
      {allowed?.canWithdraw && (
        <Button
          aria-label={`${words.withdraw}: ${text}`}
          aria-disabled={write.isPending}
          onClick={() => void withdraw()}
        >
          {words.withdraw}
        </Button>
      )}
    </li>
  );
}
