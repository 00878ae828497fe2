import { isDeviceChannel, isNumberChannel, needsMailServer, rings, traitsOf } from './channels.ts';

/** Why a contact that was verified is so no more. */
export const contactStates = ['gone', 'blocked', 'opted_out', 'invalid'] as const;
type ContactState = (typeof contactStates)[number];

const losses: Readonly<Record<ContactState, (channel: string) => string>> = {
  opted_out: (channel) => `someone sent STOP ${traitsOf(channel)?.words.from ?? ''}`,
  invalid(channel) {
    if (needsMailServer(channel)) return 'its mail server reports that the address does not exist';
    return isNumberChannel(channel) && !rings(channel)
      ? `its vendor reports that the number does not exist or cannot receive ${traitsOf(channel)?.words.name ?? ''}`
      : 'its vendor reports that the number does not exist';
  },
  blocked: () => 'the bot was blocked in Telegram',
  gone: (channel) =>
    isDeviceChannel(channel)
      ? 'this browser no longer accepts notifications from Pager'
      : 'this chat no longer exists',
};

/** Ends a sentence. */
export const lossOf = (state: ContactState, channel: string): string => losses[state](channel);

/** What became of the contact that somebody had on a channel. */
export type ContactLoss = { readonly state: ContactState; readonly since: Temporal.Instant };

/** Of somebody without a verified contact on a channel, who may have lost one there. */
export function noContact(channel: string, lost: ContactLoss | undefined): string {
  const none = `no verified ${channel} contact`;
  if (lost === undefined) return none;
  const since = lost.since.toString({ smallestUnit: 'second' });
  return `${none}: ${lossOf(lost.state, channel)} (since ${since})`;
}
