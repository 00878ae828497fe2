import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useWrite } from '../api/use-write.ts';
import { Button } from '../ui/button.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Section } from '../ui/section.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { type SessionRow, sessionsQuery } from './queries.ts';
import { words } from './words.ts';

export function SessionsSection() {
  const sessions = useQuery(sessionsQuery);
  const ending = useWrite(['users', 'me', 'sessions']);
  const list = useRef<HTMLUListElement>(null);
  const toList = () => list.current?.focus();
  const endOthers = async () => {
    const path = '/users/me/sessions/end-others';
    const done = await ending.send({ method: 'POST', path, body: {}, name: words.endOthers });
    if (done !== null) toList();
  };
  return (
    <Section title={words.sessions} text={words.sessionsText}>
      <Loaded query={sessions}>
        {(rows) => (
          <>
            <ul ref={list} tabIndex={-1} aria-label={words.sessions}>
              {rows.map((session) => (
                <SessionItem key={session.id} session={session} onEnded={toList} />
              ))}
            </ul>
            <FailedWrite failure={ending.failure} />
            {rows.length > 1 && (
              <Button
                className="mt-3"
                aria-disabled={ending.isPending}
                onClick={() => void endOthers()}
              >
                {words.endOthers}
              </Button>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function SessionItem({ session, onEnded }: { session: SessionRow; onEnded: () => void }) {
  const ending = useWrite(['users', 'me', 'sessions']);
  const end = async () => {
    const path = `/users/me/sessions/${session.id}`;
    if ((await ending.send({ method: 'DELETE', path, name: words.end })) !== null) onEnded();
  };
  const { device = words.unknownDevice, address, last_used_at, current } = session;
  return (
    <li className="flex items-center gap-3 border-b border-line py-2 last:border-b-0">
      <Icon name="monitor" className="size-5 text-ink2" />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{device}</bdi>
        <span className="block truncate text-sm text-ink3">
          {address && `${address} · `}
          {words.lastUsed} <TimeAgo at={last_used_at} />
        </span>
        <FailedWrite failure={ending.failure} />
      </span>
      {current ? (
        <span className="text-sm text-ink2">{words.thisSession}</span>
      ) : (
        <Button
          aria-label={words.endOf(device)}
          aria-disabled={ending.isPending}
          onClick={() => void end()}
        >
          {words.end}
        </Button>
      )}
    </li>
  );
}
