// Where Twilio cannot call Pager, it is polled for what people have written, for as long as somebody
// may answer a page or link their WhatsApp.
import { setTimeout as wait } from 'node:timers/promises';
import type { Listened, Poll, Way } from '../../engine/listening/listen.ts';
import {
  listedSince,
  nextPoll,
  numberOf,
  polledSince,
  unread,
} from '../../engine/listening/sms-poll.ts';
import type { Reply } from '../../replies/inbound.ts';
import { isLate } from '../../replies/late.ts';
import { isLinkedChannel } from '../../resources/channels.ts';
import type { Connection, ListenParts } from '../vendor.ts';
import { clientOf, type InboundMessage, type TwilioClient } from './client.ts';
import { fromTwilio, listedNumberOf, senderOf, twilioConnectionOf } from './connection.ts';
import { twilioFaultOf } from './failure.ts';
import { answerWritten, listInbound } from './poll-messages.ts';
import { inboundOfText } from './read.ts';

const nothing: Poll = { ok: true, updates: [] };

/** Of a wait, so that it ends soon after the time has come. */
const LONGEST_PAUSE_MS = 1_000;

/** Null: Twilio calls Pager. */
export function listenOnTwilio(parts: ListenParts): Way | null {
  if (parts.callbackUrl !== null) return null;
  const { clock, log } = parts;
  const polledAt = new Map<string, Temporal.Instant>();
  const failing = new Set<string>();

  async function due(connectionId: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const now = clock.now();
      const at = nextPoll(polledAt.get(connectionId), now);
      const ms = at.epochMilliseconds - now.epochMilliseconds;
      if (signal.aborted || ms <= 0) return;
      await pause(Math.min(ms, LONGEST_PAUSE_MS), signal);
    }
  }

  const isAwaited = async (by: { organizationId: string; channel: 'sms' | 'whatsapp' }) =>
    (await parts.isAnyPaged({ ...by, since: polledSince(clock.now()) })) ||
    (isLinkedChannel(by.channel) && (await parts.isAnyLinking(by)));

  async function poll(listened: Listened, from: number, signal: AbortSignal): Promise<Poll> {
    const { organization_id: organizationId, id: connectionId } = listened;
    await due(connectionId, signal);
    if (signal.aborted) return nothing;
    const now = clock.now();
    polledAt.set(connectionId, now);
    const note = (reason: string | null) => parts.note(listened, { reason });
    const fail = async (reason: string): Promise<Poll> => {
      failing.add(connectionId);
      await note(reason);
      return { ok: false, reason };
    };
    const connection = await parts.open(listened);
    if (connection === null) return fail('its secrets cannot be decrypted: set them again');
    const numbers: string[] = [];
    for (const channel of ['sms', 'whatsapp'] as const) {
      const number = listedNumberOf(senderOf(twilioConnectionOf(connection), channel));
      if (number !== null && (await isAwaited({ organizationId, channel }))) numbers.push(number);
    }
    if (numbers.length === 0) return nothing;
    const client = clientOf(parts, twilioConnectionOf(connection));
    const first = listedSince(from, now);
    const received: InboundMessage[] = [];
    for (const to of numbers) {
      const listed = await listInbound(client, { to, since: first, signal });
      if (signal.aborted) return nothing;
      if (!listed.ok) return fail(twilioFaultOf(listed.failure).reason);
      received.push(...listed.result);
    }
    // Whether the connection works otherwise is not known from this.
    if (failing.delete(connectionId)) await note(null);
    const eventIds = received.map(({ sid }) => sid);
    const before = await parts.readBefore({ organizationId, connectionId, eventIds });
    const account = { client, connection };
    return {
      ok: true,
      updates: unread(received, first, before).map((message) => ({
        number: numberOf(message, from),
        handle: () => handle(account, message),
        giveUp: () =>
          finish(account, message, { text: 'This could not be done. Do it in Pager instead.' }),
      })),
    };
  }

  async function handle(account: Account, message: InboundMessage): Promise<void> {
    const { sid: eventId, from, body, createdAt: writtenAt } = message;
    const { channel, address } = fromTwilio(from);
    const read = inboundOfText({ channel, address, eventId, body, optOut: null, writtenAt });
    const inbound =
      read.type === 'text' ? { ...read, isLate: isLate(writtenAt, clock.now()) } : read;
    const { connection } = account;
    const source = { organizationId: connection.organization_id, channel, connection };
    await finish(account, message, await parts.receive(source, inbound));
  }

  /** Recorded before, so that it is answered once at most. */
  async function finish(
    { client, connection }: Account,
    { sid: eventId, from: to, to: from }: InboundMessage,
    reply: Reply,
  ): Promise<void> {
    const { organization_id: organizationId, id: connectionId } = connection;
    await parts.recordRead({ organizationId, connectionId, eventId }, clock.now());
    if (reply === null) return;
    const { settings } = twilioConnectionOf(connection);
    const { channel } = fromTwilio(to);
    const perSecond = settings.messages_per_second;
    const problem = await answerWritten(client, {
      connection: { settings },
      from,
      to,
      reply,
      turn: () => parts.turn({ connection, channel, perSecond, until: undefined }),
    });
    if (problem) log.warn({ connection: connectionId, reason: problem }, 'a reply was not sent');
  }

  return { kind: 'poll', poll };
}

type Account = {
  readonly client: TwilioClient;
  readonly connection: Connection;
};

/** Until that time is over, or it is to stop. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  wait(ms, undefined, { signal }).catch(() => undefined);
