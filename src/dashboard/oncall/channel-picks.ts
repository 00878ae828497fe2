// Which channels of a chat can be picked.
import { listingVendor } from '../../resources/connections/vendors.ts';
import type { Pick } from '../ui/pick-field.tsx';
import type { ChatChannel, TeamChannel } from './queries.ts';
import { noticeWords as words } from './words.ts';

type Offered = {
  readonly via: string;
  readonly chosen: TeamChannel;
  /** What the API has for what is typed. */
  readonly channels: readonly ChatChannel[];
  readonly typed: string;
};

/** The chosen one and an id that is pasted too, whether or not the API knows them. */
export function picksOf({ via, chosen, channels, typed }: Offered): readonly Pick[] {
  const { channel_id = '', channel_name = channel_id } = chosen;
  const pasted = listingVendor(via)?.rooms.idIn(typed) ?? null;
  const known = new Set(channels.map(({ channel_id: id }) => id));
  const isAmbiguous = new Set(channels.map(({ connection_id }) => connection_id)).size > 1;
  return [
    ...channels.map((one) => ({
      value: one.channel_id,
      label: one.name,
      hint: [one.is_private ? words.isPrivate : '', isAmbiguous ? one.connection : '']
        .filter((part) => part !== '')
        .join(', '),
    })),
    ...(pasted === null || known.has(pasted)
      ? []
      : [{ value: pasted, label: pasted, hint: words.asTyped }]),
    ...(channel_id === '' || channel_id === pasted || known.has(channel_id)
      ? []
      : [{ value: channel_id, label: channel_name }]),
  ];
}
