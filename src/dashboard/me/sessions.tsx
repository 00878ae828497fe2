import { useQuery } from '@tanstack/react-query';
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
  const end = (id: string) =>
    void ending.send({ method: 'DELETE', path: `/users/me/sessions/${id}` });
  const endOthers = () =>
    void ending.send({ method: 'POST', path: '/users/me/sessions/end-others', body: {} });
  return (
    <Section title={words.sessions} text={words.sessionsText}>
      <Loaded query={sessions}>
        {(list) => (
          <>
            <ul>
              {list.map((session) => (
                <SessionItem key={session.id} session={session} onEnd={() => end(session.id)} />
              ))}
            </ul>
            <FailedWrite failure={ending.failure} />
            {list.length > 1 && (
              <Button className="mt-3" aria-disabled={ending.isPending} onClick={endOthers}>
                {words.endOthers}
              </Button>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function SessionItem({ session, onEnd }: { session: SessionRow; onEnd: () => void }) {
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
      </span>
      {current ? (
        <span className="text-sm text-ink2">{words.thisSession}</span>
      ) : (
        <Button aria-label={words.endOf(device)} onClick={onEnd}>
          {words.end}
        </Button>
      )}
    </li>
  );
}
