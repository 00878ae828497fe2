/** What stands for a chat, a user or a message: Telegram's have 52 bits at most. */
export function isId(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
