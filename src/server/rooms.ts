// Reads which rooms of chats the connections can post to, in a lane of its own: no page waits for it.
import type { ChatChannelParts } from '../api/connections/chat-channels.ts';
import type { Room } from '../channels/vendor.ts';
import { vendors } from '../channels/vendors.ts';
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
import { chatTeams } from '../storage/connections/chat-teams.ts';
import { openConnection, openConnectionsOf } from '../storage/connections/open-connections.ts';
import type { Sql } from '../storage/database/database.ts';
import { vendorWay } from './channels.ts';
import type { ServerContext } from './context.ts';

type World = Pick<ServerContext, 'config' | 'clock' | 'outbound' | 'secrets'> & {
  readonly sql: Sql;
};

/** By vendor, those whose rooms are read. */
const chatsOf = (world: World) =>
  new Map(
    vendors.flatMap((vendor) => {
      const { chats, declaration } = vendor;
      return chats ? [[declaration.vendor, { chats, way: vendorWay(world, vendor) }] as const] : [];
    }),
  );

/** For a loop. */
export function readRooms(world: World) {
  const { sql, clock, secrets } = world;
  const byVendor = chatsOf(world);
  const names = [...byVendor.keys()];

  async function readPage(reading: ChatReading): Promise<void> {
    const { organizationId, connectionId, nextPage, pages } = reading;
    const connection = await openConnection({ sql, secrets }, organizationId, connectionId);
    const { chats, way } = byVendor.get(connection?.vendor ?? '') ?? {};
    const joined = await chatTeams(sql, { organizationId, connectionId });
    const page =
      connection && chats && way ? await chats.list(way, connection, nextPage, joined) : null;
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
    next: () => nextChatReading(sql, names),
    async work(): Promise<number> {
      const now = clock.now();
      const leaseUntil = now.add({ seconds: sendingLimits.chatChannelsLease });
      const reading = await claimChatReading(sql, { vendors: names, now, leaseUntil });
      if (reading === null) return 0;
      await readPage(reading);
      return 1;
    },
  };
}

/** From the first connection that can post there; stored, so that the next search has it. */
export function roomFetch(world: World): ChatChannelParts['fetchChannel'] {
  const { sql, clock, secrets } = world;
  const byVendor = chatsOf(world);
  return async (organizationId, channelId) => {
    const names = [...byVendor.keys()];
    for (const connection of await openConnectionsOf({ sql, secrets }, organizationId, names)) {
      const { chats, way } = byVendor.get(connection.vendor) ?? {};
      const joined = await chatTeams(sql, { organizationId, connectionId: connection.id });
      const room = chats && way ? await chats.find(way, connection, channelId, joined) : null;
      if (room === null) continue;
      await upsertChatChannels(sql, {
        organizationId,
        connectionId: connection.id,
        channels: [rowOf(room)],
        now: clock.now(),
      });
      return true;
    }
    return false;
  };
}

const rowOf = ({ id, name, isPrivate }: Room): ChatChannel => ({ channelId: id, name, isPrivate });
