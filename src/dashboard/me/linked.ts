/** Its contacts are made by writing to the account of a connection. */
export const linkedChannel = 'telegram';

type Contact = {
  readonly id: string;
  readonly channel: string;
  readonly address: string;
  readonly verified: boolean;
};

/** The chats that are linked. */
export const linkedChats = <One extends Contact>(contacts: readonly One[]): readonly One[] =>
  contacts.filter(({ channel, verified }) => channel === linkedChannel && verified);

/** The chat that was linked since, also one that was lost before. */
export const linkedSince = <One extends Contact>(
  before: readonly Contact[],
  now: readonly One[],
): One | undefined => {
  const known = new Set(linkedChats(before).map(({ id }) => id));
  return linkedChats(now).find(({ id }) => !known.has(id));
};
