// What Slack sends of what people write: below posts, to the app, and where they mention it.
import { sendingLimits } from '../../limits/sending.ts';
import { unescapeSlack } from '../../notices/slack.ts';
import { blockOf } from '../../notices/words/wording.ts';
import { itemsOf, membersOf } from '../json.ts';
import { ignored, isWord, type SlackInbound } from './read.ts';

/** Those that people write themselves. Edits, deletions, people who join, and bots have others. */
const writtenByPeople: readonly unknown[] = [undefined, 'thread_broadcast', 'file_share'];

/** An event, in the payload that Slack wraps it in. */
export function readSlackEvent(payload: unknown): SlackInbound {
  const { event, authorizations } = membersOf(payload);
  const { type, subtype, channel, channel_type, ts, thread_ts, ...written } = membersOf(event);
  const { user, text, bot_id, hidden } = written;
  if (type !== 'message' && type !== 'app_mention') return ignored('its event is not used');
  if (!writtenByPeople.includes(subtype) || bot_id !== undefined || hidden === true)
    return ignored('no person wrote it');
  const app = appIn(authorizations);
  if (!isWord(user) || user === app || user === 'USLACKBOT') return ignored('no person wrote it');
  if (!isWord(channel) || !isWord(ts) || typeof text !== 'string')
    return ignored('it is not a message');
  const thread = isWord(thread_ts) && thread_ts !== ts ? thread_ts : null;
  const isDirect = channel_type === 'im';
  const isMention = type === 'app_mention';
  if (!isMention && !isDirect) {
    if (thread === null) return ignored('it is in no thread');
    if (app !== null && text.includes(mentionOf(app))) return ignored('it comes as a mention too');
  }
  const plain = plainOf(text, app);
  if (plain === '' && !isMention) return ignored('it has no text');
  return {
    type: 'message',
    userId: user,
    text: plain,
    channel,
    ts,
    thread,
    isDirect,
    isAddressed: isMention || isDirect,
    // A mention in a channel whose messages are read as well is delivered as both.
    act: `message ${channel} ${ts}`,
  };
}

/** The app as it is mentioned; null: the event does not say. */
function appIn(authorizations: unknown): string | null {
  const [app] = itemsOf(authorizations).map(membersOf);
  const { is_bot, user_id } = app ?? {};
  return is_bot === true && isWord(user_id) ? user_id : null;
}

const mentionOf = (id: string): string => `<@${id}>`;

/** Markup and escapes are longer than what they show. It is cut first: all of it is read several times. */
const READ_LENGTH = 4 * sendingLimits.chatReply;

/** As its author saw it, without the mention of the app. */
function plainOf(text: string, app: string | null): string {
  const read = text.slice(0, READ_LENGTH);
  const own =
    app === null ? read.replace(/^\s*<@[A-Z0-9]{1,30}>/, '') : read.replaceAll(mentionOf(app), ' ');
  const shown = own
    .replace(/<([^<>|]{1,2000})\|([^<>]{1,2000})>/g, (_all, target: string, label: string) =>
      target.endsWith(label) || /^[@#!]/.test(target) ? label : `${label} (${target})`,
    )
    .replace(/<([^<>\s]{1,2000})>/g, '$1');
  return blockOf(unescapeSlack(shown)).slice(0, sendingLimits.chatReply);
}
