import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PickField } from '../ui/pick-field.tsx';
import { useLate } from '../ui/use-late.ts';
import { picksOf } from './channel-picks.ts';
import { chatChannelsQuery, type TeamChannel } from './queries.ts';
import { noticeWords as words } from './words.ts';

type ChannelPickerProps = {
  via: string;
  path: string;
  channel: TeamChannel;
  change: (channel: TeamChannel) => void;
};

/** A channel of a chat, found by its name, or by its id. */
export function ChannelPicker({ via, path, channel, change }: ChannelPickerProps) {
  const [typed, setTyped] = useState('');
  const query = { ...chatChannelsQuery(via, useLate(typed)), placeholderData: keepPreviousData };
  const { data } = useQuery(query);
  const channels = data?.data ?? [];
  const pick = (channel_id: string) => {
    const { channel_name: _, ...rest } = channel;
    const name = channels.find((one) => one.channel_id === channel_id)?.name;
    change({ ...rest, channel_id, ...(name !== undefined && { channel_name: name }) });
  };
  return (
    <PickField
      path={path}
      label={words.pickChannel}
      help={data?.complete === false ? words.stillRead : words.pickChannelHelp}
      picks={picksOf({ via, chosen: channel, channels, typed })}
      value={channel.channel_id ?? ''}
      onType={setTyped}
      onChange={pick}
    />
  );
}
