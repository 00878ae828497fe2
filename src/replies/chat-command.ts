// What people ask of Pager by a command of a chat, in their own name and role.
import { commandOf } from '../resources/channels.ts';
import type { Role } from '../resources/roles.ts';
import { personOfAccount } from '../storage/people/chat-accounts.ts';
import type { ContactPerson } from '../storage/people/contacts.ts';
import { type Chat, configurationOf, type InboundParts, replyOf, toStranger } from './chat.ts';
import { type ChatCommand, readChatCommand } from './chat-commands.ts';
import { pageService } from './chat-page.ts';
import { runOnIncident } from './chat-run.ts';
import { whoIsOnCall } from './chat-who.ts';
import type { Reply } from './inbound.ts';
import { incidentNamed } from './incident-named.ts';
import { accountOf, knownPerson, linkTo } from './known-person.ts';
import { perform } from './perform.ts';
import { idOfNumber, refuse } from './refused-actions.ts';
import { answerInThread, type Thread } from './thread.ts';
import type { Verb } from './verbs.ts';

/** Viewers read all but secrets. */
const readRole: Role = 'viewer';

const helpFor = (command: string): string =>
  [
    `${command} who: shows who is on call. Add the name of a schedule to see only that one`,
    `${command} page, the name of a service, and what is wrong: opens an incident`,
    `${command} ack 42, ${command} resolve 42, ${command} escalate 42: acknowledges, resolves or escalates an incident by its number`,
    `${command} playbook 42 and a name: runs a playbook on an incident`,
    `${command} webhook 42 and a name: calls a webhook with an incident`,
    `${command} link: links your account here to your Pager account`,
  ].join('\n');

const help = ({ channel }: Chat) => helpFor(commandOf(channel));

type Written = {
  readonly text: string;
  /** The one of a page in which it was written; null: somewhere else. */
  readonly thread: Thread | null;
  readonly isLate: boolean;
};

export async function chatCommand(
  parts: InboundParts,
  chat: Chat,
  { text, thread, isLate }: Written,
): Promise<Reply> {
  const command = readChatCommand(text);
  if (command.type === 'reply')
    return thread === null
      ? replyOf(withoutThread(chat, command.verb))
      : answerInThread(parts, chat, { text, thread, isLate, isAddressed: true });
  if (command.type === 'help') return replyOf(help(chat));
  if (command.type === 'unclear')
    return replyOf(`Write: ${commandOf(chat.channel)} ${command.usage}`);
  if (command.type === 'link') return link(parts, chat);
  const known = await knownPerson(parts, chat, command.type === 'who' ? readRole : undefined);
  if (!('person' in known)) {
    const on = await targetOf(parts, chat, command);
    return refuse(parts, chat, { known, on });
  }
  const { person } = known;
  if (command.type === 'act') return actOn(parts, chat, { person, ...command });
  const configuration = await configurationOf(parts, chat);
  switch (command.type) {
    case 'who':
      return replyOf(whoIsOnCall(configuration, command.schedule, parts.clock.now()));
    case 'page':
      return pageService(parts, chat, { person, configuration, text: command.text });
    case 'run':
      return runOnIncident(parts, chat, { person, configuration, ...command });
  }
}

const withoutThread = (chat: Chat, verb: Verb | null): string =>
  verb === null ? help(chat) : `Write: ${commandOf(chat.channel)} ${verb} <number>`;

type Own = Exclude<ChatCommand, { readonly type: 'help' | 'link' | 'reply' | 'unclear' }>;

async function targetOf({ sql }: InboundParts, { organizationId }: Chat, command: Own) {
  if (command.type !== 'act' && command.type !== 'run') return null;
  const incidentId = await idOfNumber(sql, organizationId, command.number);
  const action = command.type === 'act' ? command.action : command.what;
  return incidentId === null ? null : { action, incidentId, isByNumber: true };
}

/** Also of those who are known: what somebody shows signed in counts more than an e-mail. */
async function link(parts: InboundParts, chat: Chat): Promise<Reply> {
  if (chat.account === undefined) return replyOf(help(chat));
  const account = accountOf(chat, chat.account);
  const text = 'Sign in to Pager to link your account:';
  const reply = { text, link: await linkTo(parts, account) };
  const isLinked = (await personOfAccount(parts.sql, account)) !== null;
  return isLinked ? reply : toStranger(parts, chat, reply);
}

type Act = {
  readonly person: ContactPerson;
  readonly action: 'acknowledge' | 'resolve' | 'escalate';
  readonly number: number;
  readonly note: string;
};

async function actOn(
  parts: InboundParts,
  chat: Chat,
  { person, action, number, note }: Act,
): Promise<Reply> {
  const incident = await incidentNamed(parts.sql, chat.organizationId, { number });
  if (typeof incident === 'string') return replyOf(incident);
  return (await perform(parts, chat, { person, action, incidentId: incident.id, note })).reply;
}
