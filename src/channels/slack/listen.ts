// Slack sends over a socket what people do with the buttons and the command of an app.
import type { Way } from '../../engine/listening/listen.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { couldNotBeDone, type VendorAccount } from '../../replies/inbound.ts';
import { socketWay } from '../socket-way.ts';
import type { Connection, ListenParts } from '../vendor.ts';
import { clientOf } from './channel.ts';
import type { SlackClient } from './client.ts';
import { answerOnSlack, confirmedEmail, inboundOf, introduce } from './inbound.ts';
import { readSlackPayload, type SlackInbound } from './read.ts';
import { readSlackEvent } from './read-event.ts';
import { holdSlackSocket, type SlackEnvelope } from './socket.ts';

export function listenOnSlack(parts: ListenParts): Way {
  const { log, failed } = parts;
  const seen = new SeenEnvelopes();

  const way = socketWay(parts, {
    introduce: (connection) => introduce(clientOf(parts, connection)),
    hold({ connection, signal, greeted }) {
      const client = clientOf(parts, connection);
      return holdSlackSocket({
        client,
        signal,
        handle: (envelope) => handle({ client, connection }, envelope),
        greeted,
      });
    },
  });

  async function handle(app: App, { id, type, payload }: SlackEnvelope): Promise<void> {
    // Slack sends again what it believes to be lost.
    if (!seen.isNew(`${app.connection.id} ${id}`)) return;
    const inbound =
      type === 'events_api' ? readSlackEvent(payload) : readSlackPayload(type, payload);
    try {
      await answer(app, id, inbound);
    } catch (error) {
      failed(error);
      await answerOnSlack(app.client, inbound, couldNotBeDone);
    }
  }

  async function answer(
    { client, connection }: App,
    eventId: string,
    inbound: SlackInbound,
  ): Promise<void> {
    const read = inboundOf(inbound, eventId);
    if (read === null || inbound.type === 'ignored') return;
    const account = accountOf({ client, connection }, inbound);
    const source = { organizationId: connection.organization_id, channel: 'slack', connection };
    const reply = await parts.receive(source, { ...read, account });
    const problem = reply && (await answerOnSlack(client, inbound, reply));
    if (problem)
      log.warn({ connection: connection.id, reason: problem }, 'a reply could not be sent');
  }

  const accountOf = ({ client, connection }: App, person: Person): VendorAccount => ({
    connectionId: connection.id,
    vendorName: 'Slack',
    // What people write does not say how they call themselves.
    vendorUserName: person.type === 'message' ? person.userId : person.userName,
    async confirmedEmail() {
      if (connection.settings['link_by_email'] !== true) return { email: null };
      const confirmed = await confirmedEmail(client, person.userId);
      if (confirmed.email === undefined)
        log.warn(
          { connection: connection.id, reason: confirmed.unsaid },
          'Slack did not say who someone is',
        );
      return confirmed;
    },
  });

  return way;
}

type App = {
  readonly client: SlackClient;
  readonly connection: Connection;
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
