import type { Checked } from '../vendor.ts';
import type { TelegramClient } from './client.ts';
import { telegramFaultOf } from './failure.ts';
import { sendTextOnTelegram } from './send.ts';

/** Whether the bot's token is right; with a chat, whether a message arrives there. */
export async function checkTelegram(
  client: TelegramClient,
  chatId: string | null,
): Promise<Checked> {
  const bot = await client.getMe();
  if (!bot.ok) {
    const message = telegramFaultOf(bot.failure).reason;
    return { checks: [{ name: 'credentials', ok: false, message }], account: null };
  }
  const { username } = bot.result;
  const credentials = { name: 'credentials', ok: true, message: `The bot @${username} answers.` };
  if (chatId === null) return { checks: [credentials], account: username };
  const text = 'This is a test message from Pager. Pages arrive here like this.';
  const sent = await sendTextOnTelegram(client, chatId, text);
  const result = sent.ok ? 'A message was sent to the chat.' : telegramFaultOf(sent.failure).reason;
  return {
    checks: [credentials, { name: 'message', ok: sent.ok, message: result }],
    account: username,
  };
}
