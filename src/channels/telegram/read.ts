import { blockOf, lineOf } from '../../notices/words/wording.ts';
import { membersOf } from '../json.ts';
import { isId } from './json.ts';

/** What a person did in their chat with the bot. */
export type TelegramInbound =
  | {
      readonly type: 'start';
      readonly code: string;
      readonly chatId: string;
      readonly username?: string;
    }
  | {
      readonly type: 'press';
      readonly handle: string;
      readonly callbackId: string;
      readonly chatId: string;
      readonly messageId: number;
      readonly senderName?: string;
    }
  | {
      readonly type: 'text';
      readonly text: string;
      readonly chatId: string;
      readonly messageId: number;
      readonly replyToMessageId?: number;
      readonly senderName?: string;
      /** Absent: it does not say. */
      readonly writtenAt?: Temporal.Instant;
    }
  /** The person has blocked the bot. */
  | { readonly type: 'blocked'; readonly chatId: string }
  | { readonly type: 'restored'; readonly chatId: string }
  | { readonly type: 'ignored'; readonly why: string };

export type TelegramUpdate = {
  /** The next offset is greater by one; null for what is no update. */
  readonly updateId: number | null;
  readonly inbound: TelegramInbound;
};

/** What links of `t.me/<bot>?start=` may carry. */
const START = /^\/start(?:@\w+)?\s+([A-Za-z0-9_-]{1,64})$/;
/** Handles and Telegram's own ids. */
const WORD = /^[\x21-\x7e]{1,64}$/;

/** One update of the Bot API. Only people in their private chat with the bot are heard. */
export function readTelegramUpdate(update: unknown): TelegramUpdate {
  const { update_id, message, callback_query, my_chat_member } = membersOf(update);
  if (!isId(update_id)) return { updateId: null, inbound: ignored('it has no update_id') };
  const read = () => {
    if (callback_query !== undefined) return pressOf(membersOf(callback_query));
    if (message !== undefined) return messageOf(membersOf(message));
    if (my_chat_member !== undefined) return membershipOf(membersOf(my_chat_member));
    return ignored('it is of a kind that is not used');
  };
  return { updateId: update_id, inbound: read() };
}

type Members = Readonly<Record<string, unknown>>;

function pressOf({ id, from, message, data }: Members): TelegramInbound {
  const { chat, message_id } = membersOf(message);
  const chatId = privateChatOf(chat, from);
  if (chatId === undefined) return notPrivate;
  if (!isId(message_id)) return ignored('its message has no id');
  if (!isWord(id)) return ignored('it has no id to answer');
  if (!isWord(data)) return ignored('its button carries nothing');
  const press = { type: 'press', handle: data, callbackId: id, chatId } as const;
  return { ...press, messageId: message_id, ...nameOf(from) };
}

function messageOf(message: Members): TelegramInbound {
  const { chat, from, message_id, text: written, reply_to_message, date } = message;
  const chatId = privateChatOf(chat, from);
  if (chatId === undefined) return notPrivate;
  if (!isId(message_id)) return ignored('it has no id');
  const text = typeof written === 'string' ? blockOf(written) : '';
  if (text === '') return ignored('it is a message without text');
  const code = START.exec(text)?.[1];
  if (code !== undefined) {
    const { username } = membersOf(from);
    const name = typeof username === 'string' ? lineOf(username) : '';
    return { type: 'start', code, chatId, ...(name ? { username: name } : {}) };
  }
  const { message_id: repliedTo } = membersOf(reply_to_message);
  const writtenAt = timeOf(date);
  return {
    type: 'text',
    text,
    chatId,
    messageId: message_id,
    ...(isId(repliedTo) ? { replyToMessageId: repliedTo } : {}),
    ...(writtenAt && { writtenAt }),
    ...nameOf(from),
  };
}

function membershipOf({ chat, from, new_chat_member }: Members): TelegramInbound {
  const chatId = privateChatOf(chat, from);
  if (chatId === undefined) return notPrivate;
  const { status } = membersOf(new_chat_member);
  if (status === 'kicked') return { type: 'blocked', chatId };
  if (status === 'member') return { type: 'restored', chatId };
  return ignored('it is a change of membership that is not used');
}

const ignored = (why: string): TelegramInbound => ({ type: 'ignored', why });
const notPrivate = ignored('it is not from a person in their private chat with the bot');

/** What they call themselves; nothing, if they do not. */
function nameOf(from: unknown): { readonly senderName?: string } {
  const { first_name, last_name, username } = membersOf(from);
  const names = [first_name, last_name].filter((name) => typeof name === 'string');
  const name = lineOf(names.join(' ')) || (typeof username === 'string' ? lineOf(username) : '');
  return name ? { senderName: name } : {};
}

/** The id of a private chat is that of the person in it. */
function privateChatOf(chat: unknown, from: unknown): string | undefined {
  const { id, type } = membersOf(chat);
  const { id: userId, is_bot } = membersOf(from);
  if (type !== 'private' || !isId(id)) return undefined;
  return userId === id && is_bot === false ? String(id) : undefined;
}

/** Of seconds since 1970, as many as an instant may have. */
function timeOf(seconds: unknown): Temporal.Instant | undefined {
  if (!isId(seconds) || Math.abs(seconds) > 8_640_000_000_000) return undefined;
  return Temporal.Instant.fromEpochMilliseconds(seconds * 1_000);
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && WORD.test(value);
}
