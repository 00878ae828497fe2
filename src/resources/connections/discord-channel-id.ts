const id = '[0-9]{17,20}';

/** The id of a Discord channel, pasted as it is or in a link to the channel; null: it is none. */
export function discordChannelIdIn(text: string): string | null {
  const [, pasted = ''] =
    new RegExp(`^(${id})$`).exec(text.trim()) ??
    new RegExp(
      `^https://(?:(?:ptb|canary)\\.)?discord\\.com/channels/${id}/(${id})(?:[/?#]|$)`,
    ).exec(text.trim()) ??
    [];
  return pasted || null;
}
