// A person's contacts as their list shows them: by channel, and in the order in which they are used.
import { isDeviceChannel, personalChannels } from '../../resources/channels.ts';

type Placed = {
  readonly id: string;
  readonly channel: (typeof personalChannels)[number];
  readonly position: number;
  readonly verified: boolean;
};

export const inOrder = <One extends Placed>(contacts: readonly One[]): readonly One[] =>
  contacts.toSorted(
    (one, other) =>
      personalChannels.indexOf(one.channel) - personalChannels.indexOf(other.channel) ||
      one.position - other.position,
  );

/** How many share its channel. Pushes have no order: they go to all. */
export const countBeside = (contacts: readonly Placed[], { channel }: Placed): number =>
  isDeviceChannel(channel) ? 1 : contacts.filter((one) => one.channel === channel).length;

/** Whether it is the one of several that is used. */
export const isUsedFirst = (contacts: readonly Placed[], contact: Placed): boolean => {
  const usable = inOrder(contacts).filter(
    ({ channel, verified }) => verified && channel === contact.channel,
  );
  return countBeside(contacts, contact) > 1 && usable[0]?.id === contact.id;
};
