import type { Notice } from '../../notices/notice.ts';
import {
  type HandleFor,
  plainTelegramMessageOf,
  type TelegramMessage,
  telegramMessageOf,
} from '../../notices/telegram.ts';
import type { SentMessage, TelegramClient, TelegramResult } from './client.ts';
import { type TelegramFault, telegramFaultOf } from './failure.ts';

export type TelegramDelivery =
  | {
      readonly outcome: 'delivered';
      /** Its chat is another one than was named where that has moved. */
      readonly sent: SentMessage;
    }
  | { readonly outcome: 'failed'; readonly fault: TelegramFault };

/** Sends a notice to a chat. Never throws. */
export async function sendToTelegram(
  client: TelegramClient,
  chatId: string,
  notice: Notice,
  handleFor?: HandleFor,
): Promise<TelegramDelivery> {
  const message = telegramMessageOf(notice, handleFor);
  const first = await sent(client, chatId, message);
  if (first.outcome === 'delivered') return first;
  const { moved_to, blame } = first.fault;
  if (moved_to !== undefined) {
    const moved = await sent(client, moved_to, message);
    return moved.outcome === 'delivered' ? moved : withMove(moved.fault, moved_to);
  }
  if (blame !== 'message') return first;
  return sent(client, chatId, plainTelegramMessageOf(notice, handleFor));
}

/** Words of our own, about no notice. */
export const sendTextOnTelegram = (client: TelegramClient, chatId: string, text: string) =>
  client.sendMessage(chatId, { text, link_preview_options: { is_disabled: true } });

/** Has a message show the incident as it now is. Never throws. */
export async function editOnTelegram(
  client: TelegramClient,
  message: SentMessage,
  notice: Notice,
  handleFor?: HandleFor,
): Promise<TelegramDelivery> {
  const edit = async (text: TelegramMessage) =>
    deliveryOf(await client.editMessageText(message, text), () => message);
  const first = await edit(telegramMessageOf(notice, handleFor));
  if (first.outcome === 'delivered' || first.fault.blame !== 'message') return first;
  return edit(plainTelegramMessageOf(notice, handleFor));
}

async function sent(
  client: TelegramClient,
  chatId: string,
  message: TelegramMessage,
): Promise<TelegramDelivery> {
  return deliveryOf(await client.sendMessage(chatId, message), (result) => result);
}

function deliveryOf<Result>(
  answer: TelegramResult<Result>,
  sentOf: (result: Result) => SentMessage,
): TelegramDelivery {
  if (answer.ok) return { outcome: 'delivered', sent: sentOf(answer.result) };
  return { outcome: 'failed', fault: telegramFaultOf(answer.failure) };
}

/** The new id is worth storing even where the message did not arrive. */
function withMove(fault: TelegramFault, moved_to: string): TelegramDelivery {
  return { outcome: 'failed', fault: { moved_to, ...fault } };
}
