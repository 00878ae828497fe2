// Slack as a channel.
import type { NoticeChannel } from '../../engine/sending/channel.ts';
import {
  type ChatAppOptions,
  type ChatConnection,
  type ChatPost,
  createChatApp,
} from '../chat-app.ts';
import type { VendorHttp } from '../vendor-http.ts';
import { createSlackClient, type SentPost, type SlackClient } from './client.ts';
import { type SlackFault, slackFaultOf } from './failure.ts';
import { commentOnSlack, editOnSlack, type PostResult, postOnSlack, replyOnSlack } from './send.ts';

/** An app in a workspace, as a connection has it. */
export type SlackConnection = ChatConnection;

export type SlackOptions = ChatAppOptions & {
  readonly baseUrl: string;
  readonly http: VendorHttp;
};

export const clientOf = (
  { baseUrl, http }: Pick<SlackOptions, 'baseUrl' | 'http'>,
  { secrets }: Pick<SlackConnection, 'secrets'>,
): SlackClient =>
  createSlackClient({
    baseUrl,
    request: http.request,
    botToken: secrets['bot_token'] ?? '',
    appToken: secrets['app_token'] ?? '',
  });

export const createSlack = (options: SlackOptions): Required<NoticeChannel> =>
  createChatApp<SlackFault>(options, {
    title: 'Slack',
    // Slack takes one post a second in a channel.
    lanes: (_what, place) => [{ name: `slack ${place}`, perSecond: 1 }],
    post: async (connection, place, { notice }) =>
      resultOf(await postOnSlack(clientOf(options, connection), place, notice)),
    reply: async (connection, post, { notice }) =>
      resultOf(await replyOnSlack(clientOf(options, connection), sentOf(post), notice)),
    edit: (connection, post, notice) =>
      changed(post, editOnSlack(clientOf(options, connection), sentOf(post), notice)),
    comment: (connection, post, notice) =>
      changed(post, commentOnSlack(clientOf(options, connection), sentOf(post), notice)),
    async probe(connection) {
      const identity = await clientOf(options, connection).authTest();
      return identity.ok ? null : slackFaultOf(identity.failure);
    },
  });

const sentOf = ({ place, messageId }: ChatPost): SentPost => ({ channel: place, ts: messageId });

const resultOf = (result: PostResult) =>
  'fault' in result ? result : { sent: { place: result.sent.channel, messageId: result.sent.ts } };

async function changed({ place, messageId }: ChatPost, fault: Promise<SlackFault | null>) {
  const result = await fault;
  return result === null ? { sent: { place, messageId } } : { fault: result };
}
