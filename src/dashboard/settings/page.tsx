import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../api/use-may.ts';
import { pollMs } from '../live/live.ts';
import { channelsQuery } from '../me/queries.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { pages } from '../shell/pages.ts';
import { useTitle } from '../shell/use-title.ts';
import { Button } from '../ui/button.tsx';
import { channelIcon, channelName } from '../ui/channel.ts';
import { Icon } from '../ui/icon.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { NotAllowed } from '../ui/not-allowed.tsx';
import { Section } from '../ui/section.tsx';
import { AddConnectionDialog } from './add-connection.tsx';
import { ArchivedSection } from './archived-section.tsx';
import {
  accountOf,
  type Connection,
  channelHealthOf,
  connectionIcon,
  vendorTitle,
} from './connection.ts';
import { HealthShown, HealthText } from './health.tsx';
import { connectionsQuery } from './queries.ts';
import { SettingsTabs } from './tabs.tsx';
import { words } from './words.ts';

export function ChannelsPage() {
  const isAllowed = useMay('manager');
  const mayRestore = useMay('admin');
  useTitle(words.title);
  if (isAllowed === false) return <NotAllowed title={words.title} least="manager" />;
  return (
    <>
      <PageHeader title={words.title} />
      <SettingsTabs current={pages.channels} />
      {isAllowed && (
        <>
          <Connections />
          <Channels />
          {mayRestore && <ArchivedSection />}
        </>
      )}
    </>
  );
}

/** Precedes a channel. */
const ADD = 'add-';

function Connections() {
  const mayAdd = useMay('admin');
  const query = useQuery(connectionsQuery);
  const navigate = useNavigate();
  // The channel that a link to this page is to be set up for.
  const { hash } = useLocation();
  const wanted = hash.startsWith(ADD) ? hash.slice(ADD.length) : null;
  const [isOpen, setOpen] = useState(false);
  const isAdding = mayAdd === true && (isOpen || wanted !== null);
  function close() {
    setOpen(false);
    if (wanted !== null)
      void navigate({ to: '.', hash: '', replace: true, ignoreBlocker: true, resetScroll: false });
  }
  const add = mayAdd && (
    <Button kind="primary" icon="plus" onClick={() => setOpen(true)}>
      {words.add}
    </Button>
  );
  return (
    <Section title={words.connections} text={words.connectionsText} action={add}>
      <Loaded query={query}>
        {(connections) =>
          connections.length === 0 ? (
            <>
              <p className="font-medium">{words.empty}</p>
              <p className="text-pretty text-ink2">{words.emptyText}</p>
            </>
          ) : (
            <ol aria-label={words.connections}>
              {connections.map((connection) => (
                <ConnectionRow key={connection.id} connection={connection} />
              ))}
            </ol>
          )
        }
      </Loaded>
      {isAdding && <AddConnectionDialog channel={wanted} onClose={close} />}
    </Section>
  );
}

function ConnectionRow({ connection }: { connection: Connection }) {
  const { id, name, vendor } = connection;
  const account = accountOf(connection);
  return (
    <li className="border-b border-line last:border-b-0">
      <Link
        to="/settings/channels/$id"
        params={{ id }}
        className="flex min-h-14 items-center gap-3 py-2 hover:bg-sunken"
      >
        <Icon name={connectionIcon(connection)} className="size-5 shrink-0 text-ink2" />
        <span className="min-w-0 flex-1">
          <bdi className="block truncate font-medium">{name}</bdi>
          <span className="block truncate text-sm text-ink3">
            {vendorTitle(vendor)}
            {account !== undefined && (
              <>
                {' '}
                <bdi>{account}</bdi>
              </>
            )}
          </span>
          <HealthText connection={connection} />
        </span>
        <Icon name="chevron-right" className="size-4 shrink-0 text-ink3 rtl:-scale-x-100" />
      </Link>
    </li>
  );
}

const Channels = () => (
  <Section title={words.channels} text={words.channelsText}>
    <Loaded query={useQuery({ ...channelsQuery, refetchInterval: pollMs })}>
      {(channels) => (
        <ul aria-label={words.channels}>
          {channels.map(({ channel, usable, reason, health }) => (
            <li key={channel} className="flex gap-3 border-b border-line py-2 last:border-b-0">
              <Icon name={channelIcon(channel)} className="mt-0.5 size-5 shrink-0 text-ink2" />
              <span className="min-w-0">
                <span className="block font-medium">{channelName(channel)}</span>
                <HealthShown
                  health={channelHealthOf({ channel, usable, reason, health })}
                  since={health?.failing_since}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  </Section>
);
