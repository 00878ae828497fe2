// Telegram is polled for what people do in their chat with a bot.
import type { Listened, Poll, Way } from '../../engine/listening/listen.ts';
import { sendingLimits } from '../../limits/sending.ts';
import type { Connection, ListenParts } from '../vendor.ts';
import { clientOf } from './channel.ts';
import type { TelegramClient } from './client.ts';
import { telegramFaultOf } from './failure.ts';
import { answerOnTelegram, inboundOf, introduce } from './inbound.ts';
import { readTelegramUpdate, type TelegramInbound } from './read.ts';

export function listenOnTelegram(parts: ListenParts): Way {
  const { clock, log } = parts;
  const introduced = new Set<string>();
  /** By connection, before which number all updates are confirmed, since a poll brought none. */
  const confirmed = new Map<string, number>();

  async function poll(listened: Listened, from: number, signal: AbortSignal): Promise<Poll> {
    const { id: connectionId } = listened;
    const note = (reason: string | null, account?: string) =>
      parts.note(listened, { reason, ...(account !== undefined && { account }) });
    const connection = await parts.open(listened);
    if (connection === null) {
      const reason = 'its secrets cannot be decrypted: set them again';
      await note(reason);
      return { ok: false, reason };
    }
    const client = clientOf(parts, connection);
    const key = `${connectionId} ${listened.version}`;
    if (!introduced.has(key)) {
      const { reason, account } = await introduce(client);
      await note(reason, account);
      if (reason !== null) return { ok: false, reason };
      introduced.add(key);
    }
    // After a quiet week Telegram numbers updates anew, maybe with lower numbers.
    const offset = confirmed.get(connectionId) === from ? 0 : from;
    const updates = await client.getUpdates({
      offset,
      timeoutSeconds: sendingLimits.telegramPoll,
      signal,
    });
    if (signal.aborted) return { ok: true, updates: [] };
    if (!updates.ok) {
      const { reason, retryAfterSeconds } = telegramFaultOf(updates.failure);
      await note(reason);
      return { ok: false, reason, ...(retryAfterSeconds && { retryAfterSeconds }) };
    }
    if (updates.result.length === 0) confirmed.set(connectionId, from);
    else confirmed.delete(connectionId);
    await note(null);
    return {
      ok: true,
      updates: updates.result
        .map(readTelegramUpdate)
        .flatMap(({ updateId, inbound }) =>
          updateId === null ? [] : [updateOf({ client, connection }, updateId, inbound)],
        ),
    };
  }

  const updateOf = (bot: Bot, number: number, inbound: TelegramInbound) => ({
    number,
    handle: () => handle(bot, String(number), inbound),
    giveUp: async () => {
      await answerOnTelegram(bot.client, inbound, {
        text: 'This could not be done. Do it in Pager instead.',
      });
    },
  });

  async function handle(bot: Bot, eventId: string, inbound: TelegramInbound): Promise<void> {
    const read = inboundOf(inbound, { eventId, now: clock.now() });
    if (read === null) return;
    const { connection } = bot;
    const source = { organizationId: connection.organization_id, channel: 'telegram', connection };
    const reply = await parts.receive(source, read);
    const problem = reply && (await answerOnTelegram(bot.client, inbound, reply));
    if (problem)
      log.warn({ connection: bot.connection.id, reason: problem }, 'a reply could not be sent');
  }

  return { kind: 'poll', poll };
}

type Bot = { readonly client: TelegramClient; readonly connection: Connection };
