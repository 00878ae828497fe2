// Reads which channels chats have, in a lane of its own: no page waits for it.
import type { ChatChannelParts } from '../api/connections/chat-channels.ts';
import { clientOf } from '../channels/slack/channel.ts';
import { findChannel, readChannelPage } from '../channels/slack/channels.ts';
import type { SlackChannel } from '../channels/slack/client.ts';
import type { Clock } from '../engine/clock.ts';
import { sendingLimits } from '../limits/sending.ts';
import {
  type ChatChannel,
  type ChatReading,
  claimChatReading,
  nextChatReading,
  postponeChatReading,
  storeChatPage,
  upsertChatChannels,
} from '../storage/connections/chat-channels.ts';
import { openConnection, openConnectionsOf } from '../storage/connections/connections.ts';
import type { Sql } from '../storage/database.ts';
import { slackApi } from './channels.ts';
import type { ServerContext } from './context.ts';

const vendors = ['slack'];

type Reading = Pick<ServerContext, 'config' | 'secrets'> & {
  readonly sql: Sql;
  readonly clock: Clock;
};

/** For a loop. */
export function readChatChannels({ sql, clock, config, secrets }: Reading) {
  const slack = slackApi(config);

  async function readPage(reading: ChatReading): Promise<void> {
    const { organizationId, connectionId, nextPage, pages } = reading;
    const connection = await openConnection({ sql, secrets }, organizationId, connectionId);
    const page = connection && (await readChannelPage(clientOf(slack, connection), nextPage));
    const now = clock.now();
    if (page === null || 'fault' in page) {
      const wait = page?.fault.retryAfterSeconds ?? sendingLimits.chatChannelsFailed;
      const isAnew = page?.isAnew ?? false;
      await postponeChatReading(sql, reading, { wakeAt: now.add({ seconds: wait }), isAnew });
      return;
    }
    const isLast = page.nextPage === null || pages + 1 >= sendingLimits.chatChannelsPages;
    await storeChatPage(sql, reading, {
      channels: page.channels.map(rowOf),
      nextPage: isLast ? null : page.nextPage,
      now,
      wakeAt: isLast
        ? now.add({ hours: sendingLimits.chatChannelsAnew })
        : now.add({ seconds: sendingLimits.chatChannelsPause }),
    });
  }

  return {
    next: () => nextChatReading(sql, vendors),
    async work(): Promise<number> {
      const now = clock.now();
      const leaseUntil = now.add({ seconds: sendingLimits.chatChannelsLease });
      const reading = await claimChatReading(sql, { vendors, now, leaseUntil });
      if (reading === null) return 0;
      await readPage(reading);
      return 1;
    },
  };
}

/** Of the first app that can post there; stored, so that the next search has it. */
export function chatChannelFetch({
  config,
  secrets,
  clock,
  pools: { api: sql },
}: Pick<
  ServerContext,
  'config' | 'secrets' | 'clock' | 'pools'
>): ChatChannelParts['fetchChannel'] {
  const slack = slackApi(config);
  return async (organizationId, channelId) => {
    for (const connection of await openConnectionsOf({ sql, secrets }, organizationId, 'slack')) {
      const channel = await findChannel(clientOf(slack, connection), channelId);
      if (channel === null) continue;
      await upsertChatChannels(sql, {
        organizationId,
        connectionId: connection.id,
        channels: [rowOf(channel)],
        now: clock.now(),
      });
      return true;
    }
    return false;
  };
}

const rowOf = ({ id, name, isPrivate }: SlackChannel): ChatChannel => ({
  channelId: id,
  name,
  isPrivate,
});
