import { sendingLimits } from '../../limits/sending.ts';
import type { TelegramMessage } from '../../notices/telegram.ts';
import { fit, lineOf } from '../../notices/words/wording.ts';
import { membersOf, parsedJson } from '../json.ts';
import type { VendorHttp, VendorRequest } from '../vendor-http.ts';
import { isId } from './json.ts';

const DESCRIPTION_LENGTH_STORED = 200;
/** What Telegram's notification over a chat shows; more is refused. */
const NOTIFICATION_LENGTH = 200;

export type TelegramFailure =
  /** An error of the Bot API. */
  | {
      readonly type: 'refused';
      readonly status: number;
      readonly error_code: number;
      readonly description: string;
      readonly retry_after?: number;
      readonly migrate_to_chat_id?: string;
    }
  /** No answer, or one that is not of the Bot API. */
  | { readonly type: 'no_answer'; readonly reason: string; readonly maybeExecuted: boolean };

export type TelegramResult<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly failure: TelegramFailure };

export type TelegramBot = {
  readonly id: string;
  readonly username: string;
  readonly name: string;
};

/** A message that stands in a chat. */
export type SentMessage = { readonly chatId: string; readonly messageId: number };

/** The methods of the Bot API that Pager uses. They never throw. */
export type TelegramClient = {
  getMe(): Promise<TelegramResult<TelegramBot>>;
  sendMessage(chatId: string, message: TelegramMessage): Promise<TelegramResult<SentMessage>>;
  /** Without its buttons where the message has none. It may already be as it is to be. */
  editMessageText(sent: SentMessage, message: TelegramMessage): Promise<TelegramResult<true>>;
  /** `text` is shown over the chat, or in a box to close. */
  answerCallbackQuery(
    callbackId: string,
    answer: { readonly text?: string; readonly isAlert?: boolean },
  ): Promise<TelegramResult<true>>;
  /** Answers once there are updates, or after that time; those before `offset` are removed. */
  getUpdates(poll: {
    readonly offset: number;
    readonly timeoutSeconds: number;
    readonly signal?: AbortSignal;
  }): Promise<TelegramResult<readonly unknown[]>>;
  deleteWebhook(): Promise<TelegramResult<true>>;
};

export type TelegramClientOptions = {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly token: string;
  readonly request: VendorHttp['request'];
};

type Read<Result> = (result: unknown) => Result | undefined;

export function createTelegramClient(options: TelegramClientOptions): TelegramClient {
  const { baseUrl, token, request } = options;

  async function call<Result>(
    method: string,
    parameters: object,
    read: Read<Result>,
    how: Pick<VendorRequest, 'waitMs' | 'signal'> = {},
  ): Promise<TelegramResult<Result>> {
    const answer = await request({
      url: `${baseUrl}/bot${token}/${method}`,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(parameters),
      ...how,
    });
    if (!answer.answered) {
      const { reason, maybeExecuted } = answer;
      return { ok: false, failure: { type: 'no_answer', reason, maybeExecuted } };
    }
    return resultOf(answer, read, token);
  }

  return {
    getMe: () => call('getMe', {}, botOf),
    sendMessage: (chatId, message) =>
      call('sendMessage', { chat_id: chatId, ...message }, sentMessageOf),
    async editMessageText({ chatId, messageId }, message) {
      const parameters = { chat_id: chatId, message_id: messageId, ...message };
      const edited = await call('editMessageText', parameters, anything);
      return isUnchanged(edited) ? { ok: true, result: true } : edited;
    },
    answerCallbackQuery: (callbackId, { text, isAlert }) =>
      call(
        'answerCallbackQuery',
        {
          callback_query_id: callbackId,
          ...(text ? { text: fit(text, NOTIFICATION_LENGTH) } : {}),
          ...(isAlert ? { show_alert: true } : {}),
        },
        anything,
      ),
    getUpdates: ({ offset, timeoutSeconds, signal }) =>
      call(
        'getUpdates',
        {
          offset,
          limit: sendingLimits.telegramUpdates,
          timeout: timeoutSeconds,
          allowed_updates: ['message', 'callback_query', 'my_chat_member'],
        },
        listOf,
        { waitMs: timeoutSeconds * 1_000, ...(signal ? { signal } : {}) },
      ),
    deleteWebhook: () => call('deleteWebhook', {}, anything),
  };
}

function resultOf<Result>(
  { status, body }: { readonly status: number; readonly body: string },
  read: Read<Result>,
  token: string,
): TelegramResult<Result> {
  const { ok, result, error_code, description, parameters } = membersOf(parsedJson(body));
  if (ok === true) {
    const value = read(result);
    if (value !== undefined) return { ok: true, result: value };
  }
  if (ok !== false || typeof error_code !== 'number') {
    const reason = `answered ${status} in a form that is not the Bot API’s`;
    return { ok: false, failure: { type: 'no_answer', reason, maybeExecuted: true } };
  }
  const { retry_after, migrate_to_chat_id } = membersOf(parameters);
  const words = typeof description === 'string' ? lineOf(description) : '';
  return {
    ok: false,
    failure: {
      type: 'refused',
      status,
      error_code,
      description: fit(withoutToken(words, token), DESCRIPTION_LENGTH_STORED),
      ...(typeof retry_after === 'number' ? { retry_after } : {}),
      ...(isId(migrate_to_chat_id) ? { migrate_to_chat_id: String(migrate_to_chat_id) } : {}),
    },
  };
}

/** What answers may quote the address with is the part after the colon: the secret one. */
function withoutToken(text: string, token: string): string {
  const secret = token.slice(token.indexOf(':') + 1);
  return secret === '' ? text : text.replaceAll(secret, '…');
}

function isUnchanged(result: TelegramResult<true>): boolean {
  if (result.ok || result.failure.type !== 'refused') return false;
  return result.failure.description.includes('message is not modified');
}

const anything: Read<true> = () => true;

const listOf: Read<readonly unknown[]> = (result) => (Array.isArray(result) ? result : undefined);

const botOf: Read<TelegramBot> = (result) => {
  const { id, is_bot, username, first_name } = membersOf(result);
  if (!isId(id) || is_bot !== true) return undefined;
  if (typeof username !== 'string' || typeof first_name !== 'string') return undefined;
  return { id: String(id), username: lineOf(username), name: lineOf(first_name) };
};

const sentMessageOf: Read<SentMessage> = (result) => {
  const { message_id, chat } = membersOf(result);
  const { id } = membersOf(chat);
  return isId(message_id) && isId(id) ? { chatId: String(id), messageId: message_id } : undefined;
};
