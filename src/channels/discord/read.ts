// What Discord sends of what people do: presses of buttons, choices of menus, and /pager.
import { sendingLimits } from '../../limits/sending.ts';
import { blockOf, lineOf } from '../../notices/words/wording.ts';
import { membersOf } from '../json.ts';
import type { InteractionAddress } from './client.ts';
import { commandTextOf } from './command.ts';
import { isSnowflake } from './objects.ts';

/** Who did it, and where they are answered. */
export type DiscordSource = {
  readonly at: InteractionAddress;
  readonly userId: string;
  /** As they call themselves. */
  readonly userName: string;
};

export type DiscordInbound =
  | { readonly type: 'ping' }
  | (DiscordSource & {
      readonly type: 'press';
      readonly handle: string;
      /** Null: it was shown to them alone. */
      readonly message: { readonly channelId: string; readonly id: string } | null;
    })
  | (DiscordSource & { readonly type: 'command'; readonly text: string })
  | { readonly type: 'ignored'; readonly why: string };

const kind = { ping: 1, command: 2, press: 3 } as const;
const EPHEMERAL = 64;

/** `applicationId`: the app that it has to be for. */
export function readInteraction(value: unknown, applicationId: string): DiscordInbound {
  const members = membersOf(value);
  const { type, id, token, application_id, member, user, data } = members;
  if (application_id !== applicationId) return ignored('it is for another app');
  if (type === kind.ping) return { type: 'ping' };
  const { id: userId, username, global_name } = membersOf(membersOf(member)['user'] ?? user);
  if (!isSnowflake(id) || !isToken(token) || !isSnowflake(userId))
    return ignored('nobody can be answered');
  const name = global_name ?? username;
  const source = {
    at: { id, applicationId, token },
    userId,
    userName: typeof name === 'string' ? lineOf(name).slice(0, sendingLimits.chatName) : '',
  };
  if (type === kind.press) return pressOf(source, membersOf(data), membersOf(members['message']));
  if (type !== kind.command) return ignored('it is neither a press nor a command');
  const text = commandTextOf(data);
  if (text === null) return ignored('it is another command');
  return { type: 'command', ...source, text: blockOf(text).slice(0, sendingLimits.chatCommand) };
}

type Members = Readonly<Record<string, unknown>>;

function pressOf(
  source: DiscordSource,
  { custom_id, values }: Members,
  { id, channel_id: channelId, flags }: Members,
): DiscordInbound {
  const handle = Array.isArray(values) ? values[0] : custom_id;
  if (!isHandle(handle)) return ignored('it carries nothing');
  const isPrivate = typeof flags === 'number' && (flags & EPHEMERAL) !== 0;
  const isShown = isSnowflake(id) && isSnowflake(channelId) && !isPrivate;
  return { type: 'press', ...source, handle, message: isShown ? { channelId, id } : null };
}

const ignored = (why: string): DiscordInbound => ({ type: 'ignored', why });

const isToken = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,1000}$/.test(value);

const isHandle = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,100}$/.test(value);
