// What an app receives, as the engine understands it, and the answers to it.
import { discordAnswerOf, discordChoicesOf } from '../../notices/discord-post.ts';
import type { Inbound, Reply, VendorAccount } from '../../replies/inbound.ts';
import { answerInChat } from '../chat-answer.ts';
import { type DiscordClient, type DiscordResult, deferredAnswer, deferredEdit } from './client.ts';
import { discordFaultOf } from './failure.ts';
import type { DiscordInbound } from './read.ts';
import { editOnDiscord } from './send.ts';

export type DiscordAct = Extract<DiscordInbound, { readonly type: 'press' | 'command' }>;

export const isAct = (inbound: DiscordInbound): inbound is DiscordAct =>
  inbound.type === 'press' || inbound.type === 'command';

export function inboundOf(act: DiscordAct, connectionId: string): Inbound {
  const account: VendorAccount = {
    connectionId,
    vendorName: 'Discord',
    vendorUserName: act.userName,
    // Discord tells no bot what people's addresses are.
    confirmedEmail: async () => ({ email: null }),
  };
  const did = { address: act.userId, eventId: act.at.id, account };
  if (act.type === 'command') return { type: 'command', ...did, text: act.text };
  const message = act.message && { place: act.message.channelId, messageId: act.message.id };
  return { type: 'press', ...did, handle: act.handle, ...(message && { message }) };
}

/** What keeps the token of an interaction good: the answer follows. */
export const deferralOf = ({ type }: DiscordAct) =>
  type === 'command' ? deferredAnswer : deferredEdit;

/** Why somebody could not be answered; null: they were, or nobody is to be. Never throws. */
export async function answerOnDiscord(
  client: DiscordClient,
  act: DiscordAct,
  reply: Reply,
): Promise<string | null> {
  const isCommand = act.type === 'command';
  // Whoever waits for the answer to a command waits for nothing.
  if (reply === null) return isCommand ? problemOf(await client.withdraw(act.at)) : null;
  const message = isCommand ? null : act.message;
  return answerInChat(reply, {
    edit:
      message &&
      (async (notice) => {
        const edited = await editOnDiscord(client, message, notice);
        return 'fault' in edited ? edited.fault.reason : null;
      }),
    async show({ text, link, choices }) {
      const post = choices ? discordChoicesOf(text, choices) : discordAnswerOf(text, link);
      return problemOf(
        isCommand ? await client.answer(act.at, post) : await client.follow(act.at, post),
      );
    },
  });
}

const problemOf = (result: DiscordResult<unknown>): string | null =>
  result.ok ? null : discordFaultOf(result.failure).reason;
