// A Teams bot as a channel: its posts, which are edited, and what stands below them.
import type { NoticeChannel } from '../../engine/sending/channel.ts';
import { type ChatAppOptions, type ChatConnection, createChatApp } from '../chat-app.ts';
import type { Lane } from '../lanes.ts';
import type { VendorWay } from '../vendor.ts';
import { connectorOf } from './addresses.ts';
import { createTeamsClient, type TeamsClient } from './client.ts';
import { type TeamsFault, teamsFaultOf } from './failure.ts';
import { commentOnTeams, editOnTeams, postOnTeams, replyOnTeams } from './send.ts';
import { type BotCredentials, tokenOf } from './token.ts';

/** A bot of a tenant, as a connection has it. */
export type TeamsConnection = ChatConnection;

export type TeamsWay = Pick<VendorWay, 'baseUrl' | 'http' | 'clock'>;

export const credentialsOf = ({
  settings,
  secrets,
}: Pick<TeamsConnection, 'settings' | 'secrets'>): BotCredentials => ({
  appId: String(settings['app_id']),
  tenantId: String(settings['tenant_id']),
  clientSecret: secrets['client_secret'] ?? '',
});

/** `serviceUrl`: where the connector wants answers to what it sent. Absent: as the connection has it. */
export function clientOf(
  way: TeamsWay,
  connection: Pick<TeamsConnection, 'settings' | 'secrets'>,
  serviceUrl?: string,
): TeamsClient {
  const credentials = credentialsOf(connection);
  return createTeamsClient({
    connector: serviceUrl ?? connectorOf(way.baseUrl, connection.settings['service_url']),
    appId: credentials.appId,
    tenantId: credentials.tenantId,
    request: way.http.request,
    token: (how) => tokenOf(way, credentials, how),
  });
}

/** Teams takes 50 requests a second from a bot in a tenant. */
const botLane: Lane = { name: 'msteams', perSecond: 50 };

/** And about one message a second in a conversation; the posts of a channel share its lane. */
const channelLane = (channelId: string): Lane => ({ name: `msteams ${channelId}`, perSecond: 1 });

/** A post is a conversation of its own, whose id begins with that of its channel. */
export const channelOfConversation = (conversation: string): string =>
  conversation.split(';')[0] ?? '';

export const createTeams = (options: TeamsWay & ChatAppOptions): Required<NoticeChannel> =>
  createChatApp<TeamsFault>(options, {
    title: 'Microsoft Teams',
    lanes: (_what, place) => [botLane, channelLane(channelOfConversation(place))],
    post: (connection, channelId, { notice }) =>
      postOnTeams(clientOf(options, connection), channelId, notice),
    reply: (connection, post, { notice }) =>
      replyOnTeams(clientOf(options, connection), post, notice),
    edit: (connection, post, notice) => editOnTeams(clientOf(options, connection), post, notice),
    comment: (connection, post, notice) =>
      commentOnTeams(clientOf(options, connection), post, notice),
    async probe(connection) {
      const silence = await clientOf(options, connection).probe();
      return silence && teamsFaultOf(silence);
    },
  });
