// What Discord answers, as far as Pager reads it. Undefined: it is something else.
import { lineOf } from '../../notices/words/wording.ts';
import { membersOf } from '../json.ts';
import { isPagerCommand } from './command.ts';
import { bitsOf, type Overwrite, overwritesOf } from './permissions.ts';

const nameLength = 100;

/** A message that stands in a channel. */
export type DiscordSent = { readonly channelId: string; readonly id: string };

export type DiscordApplication = {
  readonly id: string;
  readonly name: string;
  readonly publicKey: string;
  /** Null: interactions come over the gateway. */
  readonly interactionsUrl: string | null;
};

/** A server, with what the bot may do in it where no channel says otherwise. */
export type DiscordGuild = {
  readonly id: string;
  readonly name: string;
  readonly permissions: bigint;
};

export type DiscordChannel = {
  readonly id: string;
  readonly type: number;
  readonly name: string;
  readonly guildId: string;
  readonly overwrites: readonly Overwrite[];
};

export type DiscordGateway = {
  readonly url: string;
  /** How often a session may still begin, until that time is over. */
  readonly remaining: number;
  readonly resetAfterSeconds: number;
};

export const isSnowflake = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{1,20}$/.test(value);

const nameOf = (value: unknown): string =>
  typeof value === 'string' ? lineOf(value).slice(0, nameLength) : '';

export function sentOf(answer: unknown): DiscordSent | undefined {
  const { id, channel_id: channelId } = membersOf(answer);
  return isSnowflake(id) && isSnowflake(channelId) ? { id, channelId } : undefined;
}

export function applicationOf(answer: unknown): DiscordApplication | undefined {
  const { id, name, verify_key: publicKey, interactions_endpoint_url: url } = membersOf(answer);
  if (!isSnowflake(id) || typeof publicKey !== 'string') return undefined;
  return {
    id,
    name: nameOf(name),
    publicKey,
    interactionsUrl: typeof url === 'string' ? url : null,
  };
}

/** Undefined: the command that Pager adds is not there as it is now. */
export const hasPagerCommand = (answer: unknown): boolean | undefined =>
  Array.isArray(answer) ? answer.some(isPagerCommand) : undefined;

export function guildsOf(answer: unknown): readonly DiscordGuild[] | undefined {
  if (!Array.isArray(answer)) return undefined;
  return answer.flatMap((one) => {
    const { id, name, permissions } = membersOf(one);
    return isSnowflake(id) ? { id, name: nameOf(name), permissions: bitsOf(permissions) } : [];
  });
}

export const channelsOf = (answer: unknown): readonly DiscordChannel[] | undefined =>
  Array.isArray(answer) ? answer.flatMap((one) => channelOf(one) ?? []) : undefined;

export function channelOf(answer: unknown): DiscordChannel | undefined {
  const { id, type, name, guild_id: guildId, permission_overwrites } = membersOf(answer);
  if (!isSnowflake(id) || !isSnowflake(guildId) || typeof type !== 'number') return undefined;
  return { id, type, name: nameOf(name), guildId, overwrites: overwritesOf(permission_overwrites) };
}

export function rolesOf(answer: unknown): readonly string[] | undefined {
  const { roles } = membersOf(answer);
  return Array.isArray(roles) ? roles.filter(isSnowflake) : undefined;
}

export function gatewayOf(answer: unknown): DiscordGateway | undefined {
  const { url, session_start_limit } = membersOf(answer);
  const { remaining, reset_after } = membersOf(session_start_limit);
  if (typeof url !== 'string' || typeof remaining !== 'number') return undefined;
  const resetAfterSeconds = typeof reset_after === 'number' ? Math.ceil(reset_after / 1_000) : 0;
  return { url, remaining, resetAfterSeconds };
}
