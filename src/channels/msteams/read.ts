// What Teams sends of what people do with a bot: presses of buttons, messages that mention it, and where its app
// is added or removed.
import { sendingLimits } from '../../limits/sending.ts';
import { blockOf, lineOf } from '../../notices/words/wording.ts';
import { itemsOf, membersOf } from '../json.ts';
import { channelOfConversation } from './channel.ts';

type Members = Readonly<Record<string, unknown>>;

/** Where it comes from, as every activity has it. */
export type TeamsSource = {
  readonly serviceUrl: string;
  readonly channelId: string;
  readonly tenantId: string;
  /** The thread, chat or channel. */
  readonly conversation: string;
  readonly isPersonal: boolean;
};

/** Who did it. */
export type TeamsPerson = {
  /** Of the tenant, which stays. */
  readonly objectId: string;
  /** As the bot knows them. */
  readonly memberId: string;
  readonly name: string;
};

type Acted = TeamsSource & {
  readonly person: TeamsPerson;
  /** The same when it is delivered again. */
  readonly eventId: string;
};

type Team = { readonly id: string; readonly name: string };

export type TeamsActivity =
  | (Acted & { readonly type: 'press'; readonly handle: string; readonly messageId: string })
  | (TeamsSource & { readonly type: 'refresh'; readonly handle: string })
  /** `team`: where it was written; null: in a chat. `thread`: the post below which it was; null: below none. */
  | (Acted & {
      readonly type: 'command';
      readonly text: string;
      readonly team: Team | null;
      readonly thread: string | null;
    })
  | (TeamsSource & { readonly type: 'joined'; readonly team: Team; readonly isGreeted: boolean })
  | (TeamsSource & { readonly type: 'left'; readonly teamId: string })
  /** `isInvoke`: Teams waits for an answer. */
  | (TeamsSource & { readonly type: 'ignored'; readonly isInvoke: boolean });

/** What its token is held to. Nothing else of it is read before; null: it is no activity. */
export function claimedBy(value: unknown): Pick<TeamsSource, 'serviceUrl' | 'channelId'> | null {
  const { serviceUrl, channelId } = membersOf(value);
  return isWord(serviceUrl) && isWord(channelId) ? { serviceUrl, channelId } : null;
}

/** Null: it is no activity. */
export function readActivity(value: unknown, appId: string): TeamsActivity | null {
  const activity = membersOf(value);
  const source = sourceOf(activity);
  if (source === null) return null;
  switch (activity['type']) {
    case 'invoke':
      return invokeOf(activity, source);
    case 'message':
      return commandOf(activity, source, botOf(appId));
    case 'conversationUpdate':
      return updateOf(activity, source, botOf(appId));
    default:
      return { ...source, type: 'ignored', isInvoke: false };
  }
}

const botOf = (appId: string): string => `28:${appId}`;

function sourceOf(activity: Members): TeamsSource | null {
  const claimed = claimedBy(activity);
  const { conversation, channelData } = activity;
  const { id, conversationType, tenantId } = membersOf(conversation);
  const { id: tenant } = membersOf(membersOf(channelData)['tenant']);
  const of = tenantId ?? tenant;
  if (claimed === null || !isWord(id) || !isWord(of)) return null;
  return {
    ...claimed,
    tenantId: of,
    conversation: id,
    isPersonal: conversationType === 'personal',
  };
}

function personOf({ from }: Members): TeamsPerson | null {
  const { id, aadObjectId, name } = membersOf(from);
  if (!isWord(id) || !isWord(aadObjectId)) return null;
  return { objectId: aadObjectId, memberId: id, name: nameOf(name) };
}

function invokeOf(activity: Members, source: TeamsSource): TeamsActivity {
  const ignored = { ...source, type: 'ignored', isInvoke: true } as const;
  const { id, name, replyToId, value } = activity;
  const { verb, data } = membersOf(membersOf(value)['action']);
  const { handle } = membersOf(data);
  if (name !== 'adaptiveCard/action' || !isWord(handle)) return ignored;
  if (verb === 'refresh') return { ...source, type: 'refresh', handle };
  const person = personOf(activity);
  const messageId = messageIn(source.conversation) ?? replyToId;
  if (person === null || !isWord(id) || !isWord(messageId)) return ignored;
  return { ...source, type: 'press', person, handle, messageId, eventId: `invoke ${id}` };
}

/** Buttons stand on the post that a thread begins with. */
const messageIn = (conversation: string): string | null =>
  /;messageid=(\d{1,30})$/.exec(conversation)?.[1] ?? null;

function commandOf(activity: Members, source: TeamsSource, bot: string): TeamsActivity {
  const person = personOf(activity);
  const { id, text, entities, channelData } = activity;
  const isMentioned = Array.isArray(entities) && entities.some((one) => isMentionOf(one, bot));
  if (
    person === null ||
    !isWord(id) ||
    typeof text !== 'string' ||
    !(source.isPersonal || isMentioned)
  )
    return { ...source, type: 'ignored', isInvoke: false };
  return {
    ...source,
    type: 'command',
    person,
    eventId: `message ${channelOfConversation(source.conversation)} ${id}`,
    text: writtenIn(text, itemsOf(entities), bot),
    team: teamOf(channelData),
    thread: messageIn(source.conversation),
  };
}

function isMentionOf(entity: unknown, id: string): boolean {
  const { type, mentioned } = membersOf(entity);
  return type === 'mention' && membersOf(mentioned)['id'] === id;
}

/** Mentions and marks are no part of a command, but are read with it. */
const READ_LENGTH = 4 * sendingLimits.chatCommand;

/** Without the mentions of the bot, and plain. It is cut first: for each of them all of it is read. */
function writtenIn(text: string, entities: readonly unknown[], bot: string): string {
  const mentions = entities.flatMap((one) => {
    const { text: mention } = membersOf(one);
    return isMentionOf(one, bot) && isFilled(mention) ? [mention] : [];
  });
  const read = mentions
    .slice(0, sendingLimits.teamsMentions)
    .reduce((rest, mention) => rest.replaceAll(mention, ' '), text.slice(0, READ_LENGTH));
  const plain = read.replaceAll('&nbsp;', ' ').replaceAll('\u00a0', ' ');
  return blockOf(plain).slice(0, sendingLimits.chatCommand);
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';

function teamOf(channelData: unknown): Team | null {
  const { id, name } = membersOf(membersOf(channelData)['team']);
  return isWord(id) ? { id, name: nameOf(name) } : null;
}

/** What changes the list of channels of a team. */
const changes: readonly unknown[] = [
  'channelCreated',
  'channelDeleted',
  'channelRenamed',
  'channelRestored',
  'teamRenamed',
  'teamRestored',
  'teamUnarchived',
];

function updateOf(activity: Members, source: TeamsSource, bot: string): TeamsActivity {
  const { membersAdded, membersRemoved, channelData } = activity;
  const ignored = { ...source, type: 'ignored', isInvoke: false } as const;
  const team = teamOf(channelData);
  if (team === null) return ignored;
  const { eventType } = membersOf(channelData);
  const isIn = (members: unknown) =>
    Array.isArray(members) && members.some((one) => membersOf(one)['id'] === bot);
  if (isIn(membersRemoved) || eventType === 'teamDeleted' || eventType === 'teamArchived')
    return { ...source, type: 'left', teamId: team.id };
  if (isIn(membersAdded)) return { ...source, type: 'joined', team, isGreeted: true };
  if (changes.includes(eventType)) return { ...source, type: 'joined', team, isGreeted: false };
  return ignored;
}

const nameOf = (name: unknown): string =>
  typeof name === 'string' ? lineOf(name).slice(0, sendingLimits.chatName) : '';

/** Ids, addresses and handles. */
const isWord = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,400}$/.test(value);
