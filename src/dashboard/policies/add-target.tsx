import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { chatChannels } from '../../resources/channels.ts';
import { listingVendor } from '../../resources/connections/vendors.ts';
import { usePicks } from '../form/picks.ts';
import { channelsQuery } from '../me/queries.ts';
import { chatChannelsQuery } from '../oncall/queries.ts';
import { peopleQuery } from '../people/queries.ts';
import { channelIcon, channelName } from '../ui/channel.ts';
import { Icon } from '../ui/icon.tsx';
import { PersonMark } from '../ui/person-mark.tsx';
import { type Pick, PickField } from '../ui/pick-field.tsx';
import { useLate } from '../ui/use-late.ts';
import { channelFor, type DraftStep, type DraftTarget, pickOf, targetOf } from './steps.ts';
import { useUsualChannel } from './use-usual-channel.ts';
import { words } from './words.ts';

type AddTargetProps = {
  path: string;
  /** The steps up to this one. */
  before: readonly DraftStep[];
  onAdd: (target: DraftTarget) => void;
};

/** People, schedules and chats, of every team. */
export function AddTarget({ path, before, onAdd }: AddTargetProps) {
  const people = usePicks('user', undefined) ?? [];
  const schedules = usePicks('oncall_schedule', undefined) ?? [];
  const { data: channels } = useQuery(channelsQuery);
  const [typed, setTyped] = useState('');
  const rooms = useRooms(useLate(typed));
  const personal = useUsualChannel(before);
  const named: readonly Pick[] = [
    ...people.map((one) => ({ ...one, value: pickOf('user', one.value) })),
    ...schedules.map(({ value, label }) => ({
      value: pickOf('oncall_schedule', value),
      label: words.onCallOf(label),
      hint: words.schedule,
    })),
    ...chatChannels.map((chat) => ({
      value: pickOf('chat', chat),
      label: words.chatChannel(channelName(chat)),
      hint: channels?.find(({ channel }) => channel === chat)?.reason ?? words.chat,
    })),
  ];
  const wanted = typed.trim().toLowerCase();
  const picks = [
    ...named.filter(({ label }) => label.toLowerCase().includes(wanted)),
    ...rooms.map(({ pick }) => pick),
  ];
  const { data: reachable } = useQuery(peopleQuery);
  const add = (pick: string) => {
    const room = rooms.find((one) => one.pick.value === pick);
    if (room !== undefined) return onAdd(room.target);
    const person = reachable?.find(({ id }) => pick === pickOf('user', id));
    const target = targetOf(pick, {
      personal: channelFor(personal, person?.reachability.channels ?? []),
      isListed: (chat) => listingVendor(chat) !== undefined,
    });
    if (target !== null) onAdd(target);
  };
  return (
    <PickField
      path={path}
      label={words.addTarget}
      help={words.addTargetHelp}
      mark={({ value, label }) => <PickMark pick={value} label={label} />}
      picks={picks}
      value=""
      onType={setTyped}
      onChange={add}
    />
  );
}

const listed = chatChannels.filter((chat) => listingVendor(chat) !== undefined);
const SHOWN = 8;

/** The channels of chats whose names have what is typed, as far as the chats are connected. */
function useRooms(typed: string): readonly { pick: Pick; target: DraftTarget }[] {
  const text = typed.trim();
  const answers = useQueries({
    queries: listed.map((chat) => ({
      ...chatChannelsQuery(chat, text),
      enabled: text !== '',
      retry: false,
    })),
  });
  if (text === '') return [];
  return listed.flatMap((via, index) =>
    (answers[index]?.data?.data ?? []).slice(0, SHOWN).map(({ channel_id, name }) => ({
      pick: { value: `${pickOf('chat', via)}:${channel_id}`, label: name, hint: channelName(via) },
      target: { via, channel_id, channel_name: name },
    })),
  );
}

function PickMark({ pick, label }: { pick: string; label: string }) {
  const [kind, id = ''] = pick.split(':');
  if (kind === 'user') return <PersonMark id={id} name={label} />;
  return <Icon name={kind === 'chat' ? channelIcon(id) : 'phone-call'} />;
}
