/** The members of a JSON object; none for anything else. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return value as Readonly<Record<string, unknown>>;
}

/** What stands for a chat, a user or a message: Telegram's have 52 bits at most. */
export function isId(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
