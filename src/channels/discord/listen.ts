// Where Discord cannot call Pager, it sends what people do over the gateway.
import type { Way } from '../../engine/listening/listen.ts';
import { couldNotBeDone } from '../../replies/inbound.ts';
import { socketWay } from '../socket-way.ts';
import type { Connection, ListenParts } from '../vendor.ts';
import { clientOf } from './channel.ts';
import type { DiscordClient } from './client.ts';
import { codes, discordFaultOf } from './failure.ts';
import { type GatewaySession, holdGateway } from './gateway.ts';
import { answerOnDiscord, type DiscordAct, deferralOf, inboundOf, isAct } from './inbound.ts';
import { readInteraction } from './read.ts';

export function listenOnDiscord(parts: ListenParts): Way | null {
  if (parts.callbackUrl !== null) return null;
  const sessions = new Map<string, { current: GatewaySession | null }>();

  async function introduce(connection: Connection) {
    const application = await clientOf(parts, connection).application();
    return application.ok
      ? { account: application.result.name, reason: null }
      : { reason: discordFaultOf(application.failure).reason };
  }

  return socketWay(parts, {
    introduce,
    async hold({ connection, key, signal, greeted }) {
      const client = clientOf(parts, connection);
      const session = sessions.get(key) ?? { current: null };
      sessions.set(key, session);
      const ended = await holdGateway({
        client,
        botToken: connection.secrets['bot_token'] ?? '',
        sessions: session,
        signal,
        greeted,
        handle: (interaction) => handle(parts, { client, connection }, interaction),
      });
      if (session.current === null) sessions.delete(key);
      return ended;
    },
  });
}

type App = { readonly client: DiscordClient; readonly connection: Connection };

/** Never throws. */
async function handle(parts: ListenParts, app: App, interaction: unknown): Promise<void> {
  const { client, connection } = app;
  const { log, failed } = parts;
  const act = readInteraction(interaction, String(connection.settings['application_id']));
  if (!isAct(act) || (await isTooLate(client, act))) return;
  const organizationId = connection.organization_id;
  const source = { organizationId, channel: 'discord', connection };
  const reply = await parts
    .receive(source, inboundOf(act, connection.id))
    .catch((error: unknown) => {
      failed(error);
      return couldNotBeDone;
    });
  const problem = await answerOnDiscord(client, act, reply);
  if (problem !== null)
    log.warn({ connection: connection.id, reason: problem }, 'a reply could not be sent');
}

/** Discord has shown its person that it failed, such as of what a session has missed: then it has. */
async function isTooLate(client: DiscordClient, act: DiscordAct): Promise<boolean> {
  const deferred = await client.defer(act.at, deferralOf(act));
  return !deferred.ok && discordFaultOf(deferred.failure).code === codes.unknownInteraction;
}
