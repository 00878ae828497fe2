// Which channels of a workspace its app can post to.

import type { SlackChannel, SlackClient } from './client.ts';
import type { SlackFault } from './failure.ts';
import { slackFaultOf } from './failure.ts';

export type ChannelPage =
  | { readonly channels: readonly SlackChannel[]; readonly nextPage: string | null }
  | { readonly fault: SlackFault; readonly isAnew: boolean };

/** Public ones, and private ones that the app was invited to. Never throws. */
export async function readChannelPage(
  client: SlackClient,
  nextPage: string | null,
): Promise<ChannelPage> {
  const page = await client.listChannels(nextPage);
  if (!page.ok) {
    const { failure } = page;
    const isAnew = failure.type === 'refused' && failure.error === 'invalid_cursor';
    return { fault: slackFaultOf(failure), isAnew };
  }
  const { channels, next } = page.result;
  return { channels: channels.filter(isPostable), nextPage: next };
}

/** The one with that id; null: the app does not know it, or cannot post there. */
export async function findChannel(client: SlackClient, id: string): Promise<SlackChannel | null> {
  const info = await client.channelInfo(id);
  return info.ok && isPostable(info.result) ? info.result : null;
}

const isPostable = ({ isArchived, isPrivate, isMember }: SlackChannel): boolean =>
  !isArchived && (isMember || !isPrivate);
