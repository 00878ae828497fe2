const id = '[CG][A-Z0-9]{6,30}';

/** The id of a Slack channel, pasted as it is or in a link to the channel; null: it is none. */
export function slackChannelIdIn(text: string): string | null {
  const [, pasted = ''] =
    new RegExp(`^(${id})$`).exec(text.trim()) ??
    new RegExp(`^https://[^/\\s]+\\.slack\\.com/archives/(${id})(?:[/?#]|$)`).exec(text.trim()) ??
    [];
  return pasted || null;
}

/** Slack takes the id of a member where it takes that of a channel, and sends a direct message. */
export const isSlackMemberId = (id: string): boolean => /^[UW][A-Z0-9]{6,30}$/.test(id);
