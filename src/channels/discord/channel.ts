// Discord as a channel.
import type { NoticeChannel } from '../../engine/sending/channel.ts';
import {
  type ChatAppOptions,
  type ChatConnection,
  type ChatPost,
  createChatApp,
} from '../chat-app.ts';
import type { Lane } from '../lanes.ts';
import type { VendorHttp } from '../vendor-http.ts';
import { createDiscordClient, type DiscordClient } from './client.ts';
import { codes, type DiscordFault } from './failure.ts';
import type { DiscordSent } from './objects.ts';
import {
  commentOnDiscord,
  editOnDiscord,
  type PostResult,
  postOnDiscord,
  replyOnDiscord,
} from './send.ts';

export type DiscordOptions = ChatAppOptions & {
  readonly baseUrl: string;
  readonly http: VendorHttp;
};

export const clientOf = (
  { baseUrl, http }: Pick<DiscordOptions, 'baseUrl' | 'http'>,
  { secrets }: Pick<ChatConnection, 'secrets'>,
): DiscordClient =>
  createDiscordClient({ baseUrl, request: http.request, botToken: secrets['bot_token'] ?? '' });

/** Discord takes 50 requests a second of a bot; some are no messages. */
const botLane: Lane = { name: 'discord', perSecond: 40 };

/** How much a route takes, Discord says with each answer: it is held once nothing remains. */
const routeLane = (what: string, channelId: string): Lane => ({
  name: `discord ${what} ${channelId}`,
  perSecond: 5,
});

export const createDiscord = (options: DiscordOptions): Required<NoticeChannel> =>
  createChatApp<DiscordFault>(options, {
    title: 'Discord',
    lanes: (what, place) => [botLane, routeLane(what, place)],
    isOfAll: ({ isGlobal }) => isGlobal === true,
    async post(connection, place, { notice, once }) {
      const client = clientOf(options, connection);
      return orRemoved(client, resultOf(await postOnDiscord(client, place, notice, { once })));
    },
    reply: async (connection, post, { notice, once }) =>
      resultOf(await replyOnDiscord(clientOf(options, connection), sentOf(post), notice, { once })),
    edit: async (connection, post, notice) =>
      resultOf(await editOnDiscord(clientOf(options, connection), sentOf(post), notice)),
    async comment(connection, post, notice) {
      const line = await commentOnDiscord(clientOf(options, connection), sentOf(post), notice);
      return line && resultOf(line);
    },
    isDeleted: ({ code }) => code === codes.unknownMessage,
  });

type Result = ReturnType<typeof resultOf>;

const ofPlace: readonly number[] = [codes.unknownChannel, codes.missingAccess];

/** A bot that is in no server any more reaches nothing: then it is the connection that has to change. */
async function orRemoved(client: DiscordClient, result: Result): Promise<Result> {
  if (!('fault' in result) || !ofPlace.includes(result.fault.code ?? 0)) return result;
  const guilds = await client.guilds('0', 1);
  if (!guilds.ok || guilds.result.length > 0) return result;
  return { fault: { ...result.fault, blame: 'connection', reason: `Discord: ${inNoServer}` } };
}

export const inNoServer =
  'the bot is in no server: open the invite link of the connection and add it to yours';

const sentOf = ({ place, messageId }: ChatPost): DiscordSent => ({
  channelId: place,
  id: messageId,
});

const resultOf = (result: PostResult) =>
  'fault' in result
    ? result
    : { ...result, sent: { place: result.sent.channelId, messageId: result.sent.id } };
