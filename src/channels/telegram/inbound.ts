// What a bot receives, as the engine understands it, and the answers to it.
import type { Inbound, Reply } from '../../replies/inbound.ts';
import { isLate } from '../../replies/late.ts';
import { handlesOf } from './channel.ts';
import type { TelegramClient, TelegramResult } from './client.ts';
import { telegramFaultOf } from './failure.ts';
import type { TelegramInbound } from './read.ts';
import { editOnTelegram, sendTextOnTelegram } from './send.ts';

export type Introduction =
  | { readonly account: string; readonly reason: null }
  | { readonly account?: never; readonly reason: string };

/** The bot's name; and from then on it is polled, for Telegram calls nobody any more. */
export async function introduce(client: TelegramClient): Promise<Introduction> {
  const bot = await client.getMe();
  if (!bot.ok) return { reason: telegramFaultOf(bot.failure).reason };
  const unhooked = await client.deleteWebhook();
  if (!unhooked.ok) return { reason: telegramFaultOf(unhooked.failure).reason };
  return { account: bot.result.username, reason: null };
}

type Update = {
  readonly eventId: string;
  /** When it is read. */
  readonly now: Temporal.Instant;
};

/** Null: nothing is to be done. */
export function inboundOf(inbound: TelegramInbound, { eventId, now }: Update): Inbound | null {
  if (inbound.type === 'ignored') return null;
  const { chatId: address, type } = inbound;
  switch (type) {
    case 'start':
      return { type, address, code: inbound.code };
    case 'press':
      return {
        type,
        address,
        eventId,
        handle: inbound.handle,
        message: { place: address, messageId: String(inbound.messageId) },
        ...(inbound.senderName !== undefined && { senderName: inbound.senderName }),
      };
    case 'text': {
      const { text, writtenAt, replyToMessageId, senderName } = inbound;
      return {
        type,
        address,
        eventId,
        text,
        isLate: writtenAt === undefined || isLate(writtenAt, now),
        ...(replyToMessageId !== undefined && {
          repliedTo: { place: address, messageId: String(replyToMessageId) },
        }),
        ...(senderName !== undefined && { senderName }),
      };
    }
    default:
      return { type, address };
  }
}

/** Why somebody could not be answered; null: they were, or nobody is to be. */
export async function answerOnTelegram(
  client: TelegramClient,
  inbound: TelegramInbound,
  { text, edit }: NonNullable<Reply>,
): Promise<string | null> {
  if (inbound.type === 'press') {
    const { callbackId, chatId, messageId } = inbound;
    const notice = edit && { ...edit.notice, ...(edit.taken && { taken: edit.taken }) };
    const [shown, edited] = await Promise.all([
      client.answerCallbackQuery(callbackId, { text }),
      notice && editOnTelegram(client, { chatId, messageId }, notice, handlesOf(notice)),
    ]);
    return edited?.outcome === 'failed' ? edited.fault.reason : failureOf(shown);
  }
  if (inbound.type !== 'start' && inbound.type !== 'text') return null;
  return failureOf(await sendTextOnTelegram(client, inbound.chatId, text));
}

const failureOf = (result: TelegramResult<unknown>): string | null =>
  result.ok ? null : telegramFaultOf(result.failure).reason;
