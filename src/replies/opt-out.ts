// A person who answers STOP, or blocks a bot, is not written to there until they undo it.
import type { ReplyKey } from '../engine/ports/actions.ts';
import { phrasesOf } from '../notices/words/of-notice.ts';
import { channels, type ReplyChannel } from '../resources/channels.ts';
import { listConnections } from '../storage/connections/connections.ts';
import { readBefore, recordRead } from '../storage/connections/replies.ts';
import type { Sql } from '../storage/database/database.ts';
import { peopleByContact } from '../storage/people/contacts.ts';
import { type Loss, loseContact, restoreContact } from '../storage/people/lost-contacts.ts';
import { type Chat, type InboundParts, replyOf } from './chat.ts';
import type { Reply } from './inbound.ts';
import { noteAnswered } from './perform.ts';
import { answerText } from './text-commands.ts';

type OptOut = {
  readonly type: 'blocked' | 'restored';
  /** The vendor does not tell them that this is so. */
  readonly isUnconfirmed?: true;
  readonly connectionId: string | null;
};

export async function optOut(
  parts: InboundParts,
  chat: Chat,
  { type, connectionId, isUnconfirmed }: OptOut,
): Promise<Reply> {
  const { organizationId, channel } = chat;
  const at = { ids: parts.ids, now: parts.clock.now() };
  const isForAll = channels[channel].replies.refusal === 'opted_out';
  if (await isRead(parts.sql, chat.reply)) return null;
  // It restores nothing of who has stopped nothing: they answer something.
  const people = await peopleByContact(parts.sql, chat);
  const wasKnown = people.length > 0;
  if (isForAll && type === 'restored' && wasKnown) {
    // What they stopped before that may still be delivered.
    for (const person of people) await noteAnswered(parts, chat, person);
    return answerText(parts, chat, { text: 'yes', connectionId });
  }
  if (type === 'restored')
    await restoreContact(parts.sql, { ...chat, ...at }, blockedBy(channel).state);
  // Another account may still reach them there, unless they stopped all of the organization.
  else if (isForAll || !(await hasOther(parts.sql, organizationId, { channel, connectionId })))
    await loseContact(parts, { ...chat, now: at.now }, blockedBy(channel));
  if (chat.reply) await recordRead(parts.sql, chat.reply, at.now);
  if (!isUnconfirmed) return null;
  const isNowKnown = (await peopleByContact(parts.sql, chat)).length > 0;
  return wasKnown !== isNowKnown ? replyOf(confirmation(chat, type)) : null;
}

function confirmation(chat: Chat, type: OptOut['type']): string {
  const { optedOut, optedIn } = phrasesOf(chat).answer;
  return type === 'blocked' ? optedOut : optedIn;
}

/** It is delivered again, perhaps after the opposite of it. */
async function isRead(sql: Sql, reply: ReplyKey | undefined): Promise<boolean> {
  if (reply === undefined) return false;
  const { eventId, ...listed } = reply;
  return (await readBefore(sql, { ...listed, eventIds: [eventId] })).size > 0;
}

const blockedBy = (channel: ReplyChannel): Loss =>
  channels[channel].replies.refusal === 'opted_out'
    ? {
        state: 'opted_out',
        reason: `The person sent STOP ${channels[channel].words.from}. START undoes that.`,
      }
    : { state: 'blocked', reason: 'The person has blocked the bot.' };

type OneOf = { readonly channel: string; readonly connectionId: string | null };

async function hasOther(sql: Sql, organizationId: string, { channel, connectionId }: OneOf) {
  const connections = await listConnections(sql, { organizationId, archived: false });
  return connections.some(
    ({ id, enabled, channels }) => id !== connectionId && enabled && channels.includes(channel),
  );
}
