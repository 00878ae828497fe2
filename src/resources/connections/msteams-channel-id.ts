const id = /^19:[A-Za-z0-9_-]{1,100}@thread\.(?:tacv2|skype)$/;
const hosts = /^https:\/\/teams\.(?:microsoft|cloud\.microsoft)(?:\.com)?\/l\/channel\/([^/?#]+)/;

/** The id of a Teams channel, pasted as it is or in a link to the channel; null: it is none. */
export function teamsChannelIdIn(text: string): string | null {
  const typed = text.trim();
  const [, linked = ''] = hosts.exec(typed) ?? [];
  const pasted = linked === '' ? typed : decoded(linked);
  return id.test(pasted) ? pasted : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
