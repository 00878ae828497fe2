import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useWrite } from '../api/use-write.ts';
import { Button } from '../ui/button.tsx';
import { channelIcon } from '../ui/channel.ts';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Section } from '../ui/section.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { words } from './chat-account-words.ts';
import { type ChatAccount, chatAccountsQuery } from './queries.ts';

export function ChatAccountsSection({ userId }: { userId: string }) {
  const accounts = useQuery(chatAccountsQuery(userId));
  const list = useRef<HTMLUListElement>(null);
  return (
    <Section title={words.title} text={words.text}>
      <Loaded query={accounts}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="text-pretty text-ink2">{words.none}</p>
          ) : (
            <ul ref={list} tabIndex={-1} aria-label={words.title}>
              {rows.map((account) => (
                <AccountItem
                  key={account.id}
                  userId={userId}
                  account={account}
                  onEnded={() => list.current?.focus()}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

type ItemProps = { userId: string; account: ChatAccount; onEnded: () => void };

function AccountItem({ userId, account, onEnded }: ItemProps) {
  const ending = useWrite(['users', userId, 'chat-accounts']);
  const { id, vendor, name, connection, linked_by, linked_at } = account;
  const end = async () => {
    const path = `/users/${userId}/chat-accounts/${id}`;
    if ((await ending.send({ method: 'DELETE', path, name: words.end })) !== null) onEnded();
  };
  return (
    <li className="flex items-center gap-3 border-b border-line py-2 last:border-b-0">
      <Icon name={channelIcon(vendor)} className="size-5 text-ink2" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">
          <bdi>{name}</bdi> {words.in} <bdi>{connection}</bdi>
        </span>
        <span className="block truncate text-sm text-ink3">
          {linked_by === 'email' ? words.byEmail : words.byLink} · <TimeAgo at={linked_at} />
        </span>
        <FailedWrite failure={ending.failure} />
      </span>
      <Button
        aria-label={words.endOf(name)}
        aria-disabled={ending.isPending}
        onClick={() => void end()}
      >
        {words.end}
      </Button>
    </li>
  );
}
