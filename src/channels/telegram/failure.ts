import { boundedWait } from '../http-answer.ts';
import type { TelegramFailure } from './client.ts';

export type TelegramFault = {
  /**
   * What has to change before it can succeed: nothing but the time (`later`), the contact, the
   * connection's settings, or the message as it is written. What is `gone` cannot be changed or
   * answered any more. `unlisted`: Pager does not know the error.
   */
  readonly blame: 'later' | 'unlisted' | 'contact' | 'connection' | 'message' | 'gone';
  readonly reason: string;
  /** Why a contact cannot be used until its person writes to the bot again. */
  readonly contactState?: 'blocked' | 'gone';
  readonly retryAfterSeconds?: number;
  /** The id that the chat now has. */
  readonly moved_to?: string;
  /** What was requested may be done all the same. */
  readonly maybeExecuted: boolean;
  /** Telegram did not answer, or failed itself. */
  readonly isOutage?: true;
};

type Meaning = Pick<TelegramFault, 'blame' | 'contactState'> & { readonly text: string };

const ofContact = (contactState: 'blocked' | 'gone', text: string): Meaning => ({
  blame: 'contact',
  contactState,
  text,
});

const wrongToken: Meaning = {
  blame: 'connection',
  text: 'the bot token is not valid: set bot_token to the one that @BotFather shows for the bot',
};

/** By the words of a description, for codes that several causes share. */
const meanings: Readonly<Record<number, readonly (readonly [words: RegExp, Meaning])[]>> = {
  400: [
    [
      /chat not found|PEER_ID_INVALID|user not found/i,
      ofContact('gone', 'the chat does not exist'),
    ],
    [/user is deactivated|INPUT_USER_DEACTIVATED/i, ofContact('gone', 'the account was deleted')],
    [/group chat was deactivated/i, ofContact('gone', 'the group was deleted')],
    [
      /can't parse|message is too long|text is empty|text must be non-empty|BUTTON_|keyboard/i,
      { blame: 'message', text: 'the message was refused' },
    ],
    [
      /message to edit not found|message can't be edited|MESSAGE_ID_INVALID/i,
      { blame: 'gone', text: 'the message can no longer be changed' },
    ],
    [
      /query is too old|query ID is invalid/i,
      { blame: 'gone', text: 'the press is too old to be answered' },
    ],
  ],
  401: [[/^/, wrongToken]],
  403: [
    [/user is deactivated/i, ofContact('gone', 'the account was deleted')],
    [/bot was blocked/i, ofContact('blocked', 'the person has blocked the bot')],
    [/can't initiate/i, ofContact('gone', 'the person has not started the bot')],
    [/bot was kicked|not a member/i, ofContact('gone', 'the bot was removed from the chat')],
    [/^/, { blame: 'contact', text: 'the bot is not allowed to write to this chat' }],
  ],
  404: [[/^/, wrongToken]],
  409: [
    [
      /webhook/i,
      {
        blame: 'connection',
        text: 'the bot has a webhook: delete it, or set bot_token to that of a bot that only Pager uses',
      },
    ],
    [
      /^/,
      {
        blame: 'connection',
        text: 'another program reads the bot’s messages: stop it, or set bot_token to that of a bot that only Pager uses',
      },
    ],
  ],
};

const later = (text: string): Meaning => ({ blame: 'later', text });

/** What an error of the Bot API, or no answer at all, means for what is sent next. */
export function telegramFaultOf(failure: TelegramFailure): TelegramFault {
  if (failure.type === 'no_answer') {
    const { reason, maybeExecuted } = failure;
    return { blame: 'later', reason: `Telegram: ${reason}`, maybeExecuted, isOutage: true };
  }
  const { error_code, description, retry_after, migrate_to_chat_id: moved_to } = failure;
  const { blame, contactState, text } = moved_to
    ? { blame: 'contact' as const, contactState: undefined, text: 'the group has a new ID' }
    : meaningOf(error_code, description);
  return {
    blame,
    reason: `Telegram: ${text} (${error_code}${description && `: ${description}`})`,
    ...(contactState ? { contactState } : {}),
    ...(blame === 'later' && retry_after !== undefined
      ? { retryAfterSeconds: boundedWait(retry_after) }
      : {}),
    ...(moved_to ? { moved_to } : {}),
    // Refused before anything was done; an error of theirs may have come after.
    maybeExecuted: error_code >= 500,
    ...(error_code >= 500 && { isOutage: true }),
  };
}

function meaningOf(code: number, description: string): Meaning {
  return meanings[code]?.find(([words]) => words.test(description))?.[1] ?? ofCode(code);
}

function ofCode(code: number): Meaning {
  if (code === 429) return later('too many requests at once');
  if (code === 408 || code >= 500) return later('the service failed');
  return { blame: 'unlisted', text: 'the request was rejected' };
}
