// Slack sends over a socket what people do with the buttons and the command of an app.
import type { ReceiveParts, Source } from '../api/receiving/chat.ts';
import { receive } from '../api/receiving/receive.ts';
import { clientOf, type SlackConnection } from '../channels/slack/channel.ts';
import type { SlackClient } from '../channels/slack/client.ts';
import { readSlackPayload, type SlackInbound } from '../channels/slack/read.ts';
import { answerOnSlack, confirmedEmail, inboundOf, introduce } from '../channels/slack/receive.ts';
import { holdSlackSocket, type SlackEnvelope } from '../channels/slack/socket.ts';
import type { Ended, Listened, Way } from '../engine/listening/listen.ts';
import { sendingLimits } from '../limits/sending.ts';
import { type OpenConnection, openConnection } from '../storage/connections/connections.ts';
import { noteCheck } from '../storage/connections/health.ts';
import { slackApi } from './channels.ts';
import type { ServerContext } from './context.ts';

export function listenOnSlack(world: ServerContext, receiving: ReceiveParts): Way {
  const { clock, log, pools, secrets, config } = world;
  const { engine: sql } = pools;
  const slack = slackApi(config);
  const seen = new SeenEnvelopes();

  async function hold(listened: Listened, signal: AbortSignal): Promise<Ended> {
    const { organization_id: organizationId, id: connectionId } = listened;
    const note = (reason: string | null, account?: string) =>
      noteCheck(sql, {
        organizationId,
        connectionId,
        now: clock.now(),
        reason,
        ...(account !== undefined && { account }),
      });
    const connection = await openConnection({ sql, secrets }, organizationId, connectionId);
    if (connection === null) {
      const reason = 'its secrets cannot be read: set them anew';
      await note(reason);
      return { ok: false, reason };
    }
    const client = clientOf(slack, connection);
    const { reason, account } = await introduce(client);
    if (reason !== null) {
      await note(reason);
      return { ok: false, reason };
    }
    const ended = await holdSlackSocket({
      client,
      signal,
      handle: (envelope) => handle({ client, connection }, envelope),
      greeted: () => void note(null, account).catch(receiving.failed),
    });
    if (!ended.ok) await note(ended.reason);
    return ended;
  }

  async function handle(app: App, { id, type, payload }: SlackEnvelope): Promise<void> {
    // Slack sends again what it believes to be lost.
    if (!seen.isNew(`${app.connection.id} ${id}`)) return;
    const inbound = readSlackPayload(type, payload);
    try {
      await answer(app, id, inbound);
    } catch (error) {
      receiving.failed(error);
      const text = 'This could not be done. Do it in Pager instead.';
      await answerOnSlack(app.client, inbound, { text });
    }
  }

  async function answer(
    { client, connection }: App,
    eventId: string,
    inbound: SlackInbound,
  ): Promise<void> {
    const read = inboundOf(inbound, eventId);
    if (read === null || inbound.type === 'ignored') return;
    const reply = await receive(receiving, sourceOf({ client, connection }, inbound), read);
    const problem = reply && (await answerOnSlack(client, inbound, reply));
    if (problem)
      log.warn({ connection: connection.id, reason: problem }, 'an answer could not be sent');
  }

  const sourceOf = ({ client, connection }: App, { userId, userName }: Person): Source => ({
    organizationId: connection.organization_id,
    channel: 'slack',
    connectionId: connection.id,
    account: {
      connectionId: connection.id,
      vendorName: 'Slack',
      vendorUserName: userName,
      async confirmedEmail() {
        if (connection.settings['link_by_email'] !== true) return { email: null };
        const confirmed = await confirmedEmail(client, userId);
        if (confirmed.email === undefined)
          log.warn(
            { connection: connection.id, reason: confirmed.unsaid },
            'Slack did not say who somebody is',
          );
        return confirmed;
      },
    },
  });

  return { kind: 'socket', hold };
}

type App = {
  readonly client: SlackClient;
  readonly connection: SlackConnection & Pick<OpenConnection, 'settings'>;
};

type Person = Exclude<SlackInbound, { readonly type: 'ignored' }>;

/** The last ones. */
class SeenEnvelopes {
  readonly #ids = new Set<string>();

  isNew(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > sendingLimits.slackSeen && oldest !== undefined) this.#ids.delete(oldest);
    return true;
  }
}
