// Telegram is polled for what people do in their chat with a bot.
import type { ReceiveParts } from '../api/receiving/chat.ts';
import { receive } from '../api/receiving/receive.ts';
import { clientOf, type TelegramConnection } from '../channels/telegram/channel.ts';
import type { TelegramClient } from '../channels/telegram/client.ts';
import { telegramFaultOf } from '../channels/telegram/failure.ts';
import { readTelegramUpdate, type TelegramInbound } from '../channels/telegram/read.ts';
import { answerOnTelegram, inboundOf, introduce } from '../channels/telegram/receive.ts';
import type { Listened, Poll, Way } from '../engine/listening/listen.ts';
import { sendingLimits } from '../limits/sending.ts';
import { openConnection } from '../storage/connections/connections.ts';
import { noteCheck } from '../storage/connections/health.ts';
import { telegramApi } from './channels.ts';
import type { ServerContext } from './context.ts';

export function listenOnTelegram(world: ServerContext, receiving: ReceiveParts): Way {
  const { clock, log, pools, secrets, config } = world;
  const { engine: sql } = pools;
  const telegram = telegramApi(config);
  const introduced = new Set<string>();
  /** By connection, before which number all updates are confirmed, since a poll brought none. */
  const confirmed = new Map<string, number>();

  async function poll(listened: Listened, from: number, signal: AbortSignal): Promise<Poll> {
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
    const client = clientOf(telegram, connection);
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
    const { organization_id: organizationId, id: connectionId } = bot.connection;
    const source = { organizationId, channel: 'telegram', connectionId } as const;
    const reply = await receive(receiving, source, read);
    const problem = reply && (await answerOnTelegram(bot.client, inbound, reply));
    if (problem)
      log.warn({ connection: bot.connection.id, reason: problem }, 'an answer could not be sent');
  }

  return { kind: 'poll', poll };
}

type Bot = { readonly client: TelegramClient; readonly connection: TelegramConnection };
