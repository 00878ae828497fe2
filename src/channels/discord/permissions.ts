// Where a bot may post: https://discord.com/developers/docs/topics/permissions
import { itemsOf, membersOf } from '../json.ts';

export const may = {
  administrate: 1n << 3n,
  viewChannel: 1n << 10n,
  sendMessages: 1n << 11n,
  embedLinks: 1n << 14n,
} as const;

/** What a channel changes for a role or a member; the role of everybody has the id of the server. */
export type Overwrite = { readonly id: string; readonly allow: bigint; readonly deny: bigint };

/** A number that is written in digits, for it may be longer than JSON's numbers are exact. */
export const bitsOf = (value: unknown): bigint =>
  typeof value === 'string' && /^\d{1,30}$/.test(value) ? BigInt(value) : 0n;

export const overwritesOf = (value: unknown): readonly Overwrite[] =>
  itemsOf(value).flatMap((one) => {
    const { id, allow, deny } = membersOf(one);
    return typeof id === 'string' ? { id, allow: bitsOf(allow), deny: bitsOf(deny) } : [];
  });

type Member = { readonly userId: string; readonly roles: readonly string[] };
type Place = { readonly guildId: string; readonly overwrites: readonly Overwrite[] };

/** What a member may do in a channel, who may do that in its server. */
export function permissionsIn(
  base: bigint,
  { userId, roles }: Member,
  { guildId, overwrites }: Place,
): bigint {
  if ((base & may.administrate) !== 0n) return -1n;
  const ofRoles = overwrites.filter(({ id }) => id !== guildId && roles.includes(id));
  // Everybody's first, then those of all roles together, then the member's own.
  return [
    overwrites.filter(({ id }) => id === guildId),
    ofRoles,
    overwrites.filter(({ id }) => id === userId),
  ].reduce((allowed, changes) => {
    const denied = changes.reduce((bits, { deny }) => bits | deny, 0n);
    return changes.reduce((bits, { allow }) => bits | allow, allowed & ~denied);
  }, base);
}

const needed = may.viewChannel | may.sendMessages | may.embedLinks;

export const mayPost = (permissions: bigint): boolean => (permissions & needed) === needed;
