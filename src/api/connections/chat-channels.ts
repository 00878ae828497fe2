// The channels of chats that a connection can post to, for whoever chooses where to.
import Type from 'typebox';
import { sendingLimits } from '../../limits/sending.ts';
import { chatChannels } from '../../resources/channels.ts';
import { listingVendor } from '../../resources/connections/vendors.ts';
import { choice, flag, id, objectOf, optional, text } from '../../resources/declaration/field.ts';
import {
  areChatChannelsRead,
  type ListedChatChannel,
  searchChatChannels,
} from '../../storage/connections/chat-channels.ts';
import type { Queries } from '../../storage/database/database.ts';
import { noNextPage } from '../answers.ts';
import { Refusal } from '../failures.ts';
import type { Limiter } from '../http/limiter.ts';
import { route } from '../people/writing.ts';
import { type Call, ok, type Route } from '../route.ts';

export type ChatChannelParts = {
  readonly sql: Queries;
  /** Reads one by its id from the vendor, and stores it; false: no connection can post there. */
  readonly fetchChannel: (organizationId: string, channelId: string) => Promise<boolean>;
  readonly fetches: Limiter;
};

const channelShape = objectOf(
  {
    channel_id: text({ doc: 'The id of the channel, as used in policy steps.' }),
    name: text({ doc: 'The name of the channel, such as #alerts.' }),
    is_private: flag({ doc: 'Whether the channel is private.' }),
    connection_id: id('The channel connection that can post there.'),
    connection: text({ doc: 'The name of that connection.' }),
  },
  'A chat channel.',
);

const listed = {
  status: 200,
  schema: objectOf({
    data: Type.Array(channelShape, { description: 'The best matches, best first.' }),
    next_cursor: noNextPage,
    complete: flag({
      doc: 'Whether all channels have been loaded. During the first load, some channels cannot be found by name.',
    }),
  }),
};

export const chatChannelRoute = (parts: ChatChannelParts): Route =>
  route('GET /chat-channels', 'responder', {
    tag: 'channel_connections',
    answers: listed,
    doc: 'Searches the channels of a chat that a channel connection can post to.',
    query: {
      via: choice(chatChannels, { doc: 'The chat service to search.' }),
      search: optional(
        text({
          doc: 'Part of a channel name, or a channel id or link. Pager looks up an unknown id at the vendor.',
        }),
      ),
    },
    handle: (call) => search(parts, call),
  });

async function search(parts: ChatChannelParts, call: Call) {
  const { organizationId } = call.caller;
  const via = call.query['via'] ?? '';
  // Nobody lists the rooms of the others.
  const { vendor = via, rooms } = listingVendor(via) ?? {};
  const typed = (call.query['search'] ?? '').trim();
  const channelId = rooms?.idIn(typed) ?? null;
  const matches = () =>
    searchChatChannels(parts.sql, {
      organizationId,
      vendor,
      text: channelId ?? typed.replace(/^#/, ''),
      limit: sendingLimits.chatChannelsListed,
    });
  let channels = await matches();
  if (channels.length === 0 && channelId !== null && (await fetchOne(parts, call, channelId)))
    channels = await matches();
  const complete = await areChatChannelsRead(parts.sql, { organizationId, vendor });
  return ok({ data: channels.map(output), next_cursor: null, complete });
}

function fetchOne(
  { fetchChannel, fetches }: ChatChannelParts,
  { caller }: Call,
  channelId: string,
) {
  const wait = fetches.take(caller.organizationId);
  if (wait > 0) throw new Refusal('rate_limited', { retryAfterSeconds: wait });
  return fetchChannel(caller.organizationId, channelId);
}

const output = ({ channelId, name, isPrivate, connectionId, connection }: ListedChatChannel) => ({
  channel_id: channelId,
  name: `#${name}`,
  is_private: isPrivate,
  connection_id: connectionId,
  connection,
});
