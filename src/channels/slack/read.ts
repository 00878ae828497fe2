// What Slack sends of what people do: presses of buttons, choices of menus, and /pager. What they write is
// read in read-event.ts.
import { sendingLimits } from '../../limits/sending.ts';
import { unescapeSlack } from '../../notices/slack.ts';
import { blockOf, lineOf } from '../../notices/words/wording.ts';
import { membersOf } from '../json.ts';

type Person = {
  readonly userId: string;
  /** Slack's name for what they did, the same when it is delivered again; null: it has none. */
  readonly act: string | null;
};

/** Who did it, and where an answer is shown to them alone. */
export type SlackSource = Person & {
  /** As they call themselves. */
  readonly userName: string;
  readonly responseUrl: string;
};

export type SlackInbound =
  | (SlackSource & {
      readonly type: 'press';
      readonly handle: string;
      readonly channel: string;
      readonly ts: string;
    })
  /** What stands after `/pager`. */
  | (SlackSource & { readonly type: 'command'; readonly text: string })
  | (Person & SlackMessage)
  | { readonly type: 'ignored'; readonly why: string };

export type SlackMessage = {
  readonly type: 'message';
  readonly text: string;
  readonly channel: string;
  readonly ts: string;
  /** The post below which it was written; null: it is in no thread. */
  readonly thread: string | null;
  /** Nobody else reads what is written there. */
  readonly isDirect: boolean;
  /** It mentions the app, or was written to it alone. */
  readonly isAddressed: boolean;
};

type Members = Readonly<Record<string, unknown>>;

/** The payload of an envelope of that type. */
export function readSlackPayload(type: string, payload: unknown): SlackInbound {
  const members = membersOf(payload);
  if (type === 'slash_commands') return commandOf(members);
  if (type === 'interactive') return pressOf(members);
  return ignored(`it is of type ${lineOf(type).slice(0, 50)}`);
}

function pressOf({ type, user, container, actions, response_url }: Members): SlackInbound {
  if (type !== 'block_actions') return ignored('it is neither a press nor a choice');
  const { id, name, username } = membersOf(user);
  const { channel_id: channel, message_ts: ts } = membersOf(container);
  const {
    value: ofButton,
    selected_option,
    action_ts: at,
  } = membersOf(Array.isArray(actions) ? actions[0] : undefined);
  const value = ofButton ?? membersOf(selected_option)['value'];
  if (!isWord(id) || !isWord(response_url)) return ignored('nobody can be answered');
  if (!isWord(channel) || !isWord(ts)) return ignored('its message has no id');
  if (!isWord(value)) return ignored('it carries nothing');
  const source = {
    userId: id,
    userName: nameOf(name ?? username),
    responseUrl: response_url,
    act: isWord(at) ? `press ${ts} ${at} ${id}` : null,
  };
  return { type: 'press', ...source, handle: value, channel, ts };
}

function commandOf({ user_id, user_name, text, response_url, trigger_id }: Members): SlackInbound {
  if (!isWord(user_id) || !isWord(response_url)) return ignored('nobody can be answered');
  // Slack may escape it, as it does the text of messages.
  const plain = typeof text === 'string' ? blockOf(unescapeSlack(text)) : '';
  const written = plain.slice(0, sendingLimits.chatCommand);
  const source = {
    userId: user_id,
    userName: nameOf(user_name),
    responseUrl: response_url,
    act: isWord(trigger_id) ? `command ${trigger_id}` : null,
  };
  return { type: 'command', ...source, text: written };
}

export const ignored = (why: string): SlackInbound => ({ type: 'ignored', why });

const nameOf = (name: unknown): string =>
  typeof name === 'string' ? lineOf(name).slice(0, sendingLimits.chatName) : '';

/** Ids, addresses and handles. */
export const isWord = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,2000}$/.test(value);
