import { boundedWait } from '../http-answer.ts';
import type { VendorFault } from '../vendor-fault.ts';
import type { DiscordFailure } from './client.ts';

/** What is `gone` cannot be changed or answered any more; `message`: as it is written. */
export type DiscordFault = VendorFault<'contact' | 'connection' | 'message' | 'gone'> & {
  /** Of Discord’s list of errors. */
  readonly code?: number;
  /** It is the bot that sends too much, and not the route. */
  readonly isGlobal?: true;
};

type Listed = Exclude<DiscordFault['blame'], 'unlisted'>;

export const codes = {
  unknownChannel: 10003,
  unknownMessage: 10008,
  unknownInteraction: 10062,
  missingAccess: 50001,
  threadExists: 160004,
  noHistory: 160002,
} as const;

/** By the code of the API, in words: https://discord.com/developers/docs/topics/opcodes-and-status-codes#json */
const meanings: Readonly<Record<Listed, Readonly<Record<number, string>>>> = {
  contact: {
    10003: 'the channel does not exist, or the bot is no longer in its server',
    10004: 'the server does not exist',
    50001: 'the bot cannot see the channel: give it the permission View Channel there',
    50008: 'the channel does not accept text messages',
    50013:
      'the bot lacks a permission in the channel: it needs View Channel, Send Messages and Embed Links',
    50024: 'channels of this type do not accept messages',
    50083: 'the thread is archived',
    160005: 'the thread is locked',
  },
  connection: {
    40001: 'the bot token is not valid: reset it, and set bot_token to the new one',
    50014: 'the bot token is not valid: reset it, and set bot_token to the new one',
  },
  message: {
    50006: 'the message is empty',
    50035: 'the message was rejected',
    200000: 'the message was blocked by a rule of the server',
    240000: 'the message was blocked because of a link in it',
  },
  gone: {
    10008: 'the message was deleted',
    10015: 'the button press or command has expired',
    10062: 'the button press or command has expired',
    50027: 'the button press or command has expired',
  },
  later: {
    20016: 'the channel is in slow mode',
    20022: 'too many edits in the channel',
    20028: 'too many messages in the channel',
    40004: 'sending messages is temporarily disabled',
  },
};

const blames = Object.keys(meanings) as readonly Listed[];

/** What an error of the API, or no answer at all, means for what is sent next. */
export function discordFaultOf(failure: DiscordFailure): DiscordFault {
  if (failure.type === 'no_answer') {
    const { reason, maybeExecuted } = failure;
    return { blame: 'later', reason: `Discord: ${reason}`, maybeExecuted, isOutage: true };
  }
  const { status, code, message, retryAfterSeconds, isGlobal } = failure;
  const { blame, text } = meaningOf(status, code);
  const details = [code || status, message].filter((part) => part !== '').join(': ');
  return {
    blame,
    code,
    reason: `Discord: ${text} (${details})`,
    ...(blame === 'later' &&
      retryAfterSeconds !== undefined && { retryAfterSeconds: boundedWait(retryAfterSeconds) }),
    ...(isGlobal && { isGlobal }),
    maybeExecuted: false,
  };
}

function meaningOf(status: number, code: number): Pick<DiscordFault, 'blame'> & { text: string } {
  if (status === 429) return { blame: 'later', text: 'too many requests at once' };
  const blame = blames.find((each) => meanings[each][code] !== undefined);
  const text = blame && meanings[blame][code];
  if (blame !== undefined && text !== undefined) return { blame, text };
  // Without a code that is known, the status alone.
  if (status === 401) return { blame: 'connection', text: meanings.connection[40001] ?? '' };
  if (status === 403) return { blame: 'contact', text: 'the bot is not allowed to do this' };
  if (status === 404) return { blame: 'contact', text: 'not found' };
  return { blame: 'unlisted', text: 'the request was rejected' };
}
