// What Pager relies on of Telegram's Bot API. All of it is on one page, https://core.telegram.org/bots/api,
// by the names of its methods and types.
import Type, { type TSchema } from 'typebox';
import { exactly, httpUrl, oneOf, problemWith, text } from './contract.ts';
import { publishedTelegram } from './published/telegram.ts';

/** sendMessage: after the markup is read. */
export const messageLengthMax = 4_096;
/** answerCallbackQuery. */
export const notificationLengthMax = 200;
/** InlineKeyboardButton, in bytes. */
export const buttonDataBytesMax = 64;

/** Ids of chats have up to 52 bits; those of groups are negative. */
const chatId = Type.Union([Type.Integer(), Type.String({ pattern: '^-?\\d{1,16}$' })]);
const messageId = Type.Integer({ minimum: 1 });
const seconds = Type.Integer({ minimum: 0 });

// What this refuses, the fake would have to word as Telegram does: the lengths of texts are checked there.
const button = exactly({ text: Type.String(), callback_data: Type.String() });
const keyboard = exactly({ inline_keyboard: Type.Array(Type.Array(button)) });

const shown = {
  text: Type.String(),
  parse_mode: Type.Optional(Type.String()),
  link_preview_options: Type.Optional(exactly({ is_disabled: Type.Boolean() })),
  reply_markup: Type.Optional(keyboard),
};

const updateKinds = ['message', 'callback_query', 'my_chat_member'] as const;

const requests: Readonly<Record<string, TSchema>> = {
  getMe: exactly({}),
  deleteWebhook: exactly({}),
  sendMessage: exactly({ chat_id: chatId, ...shown }),
  editMessageText: exactly({ chat_id: chatId, message_id: messageId, ...shown }),
  answerCallbackQuery: exactly({
    callback_query_id: text(),
    text: Type.Optional(Type.String()),
    show_alert: Type.Optional(Type.Boolean()),
  }),
  getUpdates: exactly({
    offset: Type.Optional(Type.Integer()),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    timeout: Type.Optional(seconds),
    allowed_updates: Type.Optional(Type.Array(oneOf(...updateKinds))),
  }),
};

const bot = {
  id: Type.Integer(),
  is_bot: Type.Literal(true),
  first_name: text(),
  username: text(),
};
const person = exactly({
  id: Type.Integer(),
  is_bot: Type.Literal(false),
  first_name: text(),
  last_name: Type.Optional(text()),
  username: Type.Optional(text()),
  language_code: Type.Optional(text()),
});
const user = Type.Union([exactly(bot), person]);
const chat = exactly({
  id: Type.Integer(),
  type: oneOf('private', 'group', 'supergroup', 'channel'),
  title: Type.Optional(text()),
  first_name: Type.Optional(text()),
  last_name: Type.Optional(text()),
  username: Type.Optional(text()),
});
const entity = exactly({
  type: text(),
  offset: Type.Integer({ minimum: 0 }),
  length: Type.Integer({ minimum: 1 }),
  url: Type.Optional(httpUrl),
});
const written = {
  message_id: messageId,
  from: user,
  chat,
  date: seconds,
  edit_date: Type.Optional(seconds),
  text: Type.Optional(text(messageLengthMax)),
  entities: Type.Optional(Type.Array(entity)),
  link_preview_options: Type.Optional(exactly({ is_disabled: Type.Boolean() })),
  reply_markup: Type.Optional(keyboard),
};
const message = exactly({ ...written, reply_to_message: Type.Optional(exactly(written)) });
/** InaccessibleMessage: the bot can no longer read it, and its date is 0. */
const inaccessible = exactly({ chat, message_id: messageId, date: Type.Literal(0) });
const member = Type.Union([
  exactly({ status: Type.Literal('member'), user }),
  exactly({ status: Type.Literal('kicked'), user, until_date: seconds }),
]);

/** Update: it has exactly one of the kinds. */
const update = Type.Union(
  Object.entries({
    message,
    callback_query: exactly({
      id: text(64),
      from: person,
      message: Type.Union([message, inaccessible]),
      chat_instance: text(),
      data: text(buttonDataBytesMax),
    }),
    my_chat_member: exactly({
      chat,
      from: user,
      date: seconds,
      old_chat_member: member,
      new_chat_member: member,
    }),
  }).map(([kind, value]) => exactly({ update_id: Type.Integer(), [kind]: value })),
);

const yes = Type.Literal(true);
const flag = Type.Boolean();

const results: Readonly<Record<string, TSchema>> = {
  getMe: exactly({
    ...bot,
    can_join_groups: flag,
    can_read_all_group_messages: flag,
    supports_guest_queries: flag,
    supports_inline_queries: flag,
    can_connect_to_business: flag,
    has_main_web_app: flag,
    has_topics_enabled: flag,
    allows_users_to_create_topics: flag,
    can_manage_bots: flag,
    supports_join_request_queries: flag,
  }),
  deleteWebhook: yes,
  sendMessage: message,
  editMessageText: message,
  answerCallbackQuery: yes,
  getUpdates: Type.Array(update),
};

export const telegramContract = {
  /** What is wrong with a request of that method, if anything. */
  requestProblem(method: string, parameters: unknown): string | undefined {
    const schema = requests[method];
    if (schema === undefined) return `${method}: no such method`;
    const problem = problemWith(method, schema, parameters);
    return problem ?? publishedTelegram()?.requestProblem(method, parameters);
  },
  /** The same of what the method answers. */
  resultProblem(method: string, result: unknown): string | undefined {
    const schema = results[method];
    if (schema === undefined) return `${method}: no such method`;
    const problem = problemWith(`the result of ${method}`, schema, result);
    return problem ?? publishedTelegram()?.resultProblem(method, result);
  },
  updateProblem: (value: unknown): string | undefined =>
    problemWith('an update', update, value) ?? publishedTelegram()?.updateProblem(value),
};
