import { linkedChannels } from '../../resources/channels.ts';
import type { Vendor } from '../../resources/connections/vendor.ts';
import { vendors } from '../../resources/connections/vendors.ts';

/** Their contacts are made by writing to the account of a connection. */
export type LinkedChannel = (typeof linkedChannels)[number];

export const linkedChannel = (channel: string): LinkedChannel | undefined =>
  linkedChannels.find((one) => one === channel);

/** An account of the channel, as people write it. */
export function accountOf(channel: LinkedChannel, account: string): string {
  const vendor: Vendor | undefined = vendors.find((one) => one.channels.includes(channel));
  return vendor?.accountText?.(account) ?? account;
}

type Contact = {
  readonly id: string;
  readonly channel: string;
  readonly address: string;
  readonly verified: boolean;
};

/** The chats of a channel that are linked. */
export const linkedChats = <One extends Contact>(
  contacts: readonly One[],
  channel: LinkedChannel,
): readonly One[] => contacts.filter((one) => one.channel === channel && one.verified);

/** The chat that was linked since, also one that was lost before. */
export const linkedSince = <One extends Contact>(
  before: readonly Contact[],
  now: readonly One[],
  channel: LinkedChannel,
): One | undefined => {
  const known = new Set(linkedChats(before, channel).map(({ id }) => id));
  return linkedChats(now, channel).find(({ id }) => !known.has(id));
};
