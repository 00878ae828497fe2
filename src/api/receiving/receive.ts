// What people do at a vendor: they link a chat, press a button, write. Each ends in the same functions
// as the API, and the answer says what really happened.
import type { ReplyKey } from '../../engine/ledger.ts';
import type { Inbound, Reply } from '../../engine/receiving/inbound.ts';
import { type Command, readCommand } from '../../engine/receiving/verbs.ts';
import type { Posted } from '../../engine/sending/channel.ts';
import type { Incident } from '../../incidents/incident.ts';
import { accessLimits } from '../../limits/access.ts';
import { queryLimits } from '../../limits/queries.ts';
import { mayBySms, type SmsActions } from '../../resources/connections/sms-actions.ts';
import { nameOrEmail } from '../../resources/person-name.ts';
import { listConnections } from '../../storage/connections/connections.ts';
import { actedBefore, readBefore, recordRead } from '../../storage/connections/replies.ts';
import { type TextAnswer, takeTextAnswer } from '../../storage/connections/text-answers.ts';
import type { Sql } from '../../storage/database.ts';
import { findIncident } from '../../storage/incidents/incidents.ts';
import { openPagedIncidents, pagedFor } from '../../storage/incidents/paged.ts';
import { recordProof } from '../../storage/people/contact-proofs.ts';
import { linkChat, peopleByContact } from '../../storage/people/contacts.ts';
import { type Loss, loseContact, restoreContact } from '../../storage/people/lost-contacts.ts';
import { sealedOrganization } from '../../storage/people/organization.ts';
import { incidentOfPosted } from '../../storage/posted/posted.ts';
import { gotItText, gotItTooLate, readGotIt, type TestedContact } from '../got-it.ts';
import { addressDigest } from '../people/code-quotas.ts';
import { linkCodeDigest } from '../people/link-codes.ts';
import {
  type Chat,
  configurationOf,
  type ReceiveParts,
  replyOf,
  type Source,
  toStranger,
} from './chat.ts';
import { chatCommand } from './chat-command.ts';
import { listRunnables, runChosen } from './chat-run.ts';
import { hasEscalated, readHandle, readRunHandle } from './handles.ts';
import {
  allowed,
  knownPerson,
  sharedChat,
  strangerIn,
  unentitled,
  unknownChat,
  unknownNumber,
} from './known-person.ts';
import { noteAnswered, notReadable, perform, unreadable } from './perform.ts';
import { idOfNumber, refuse } from './refused.ts';

/** Does what somebody asks for, and answers what came of it. */
export async function receive(
  parts: ReceiveParts,
  source: Source,
  inbound: Inbound,
): Promise<Reply> {
  const { address } = inbound;
  const { connectionId, ...where } = source;
  const { organizationId, channel } = where;
  const eventId = 'eventId' in inbound ? inbound.eventId : undefined;
  const reply = eventId && { organizationId, connectionId, eventId };
  const senderName = 'senderName' in inbound ? inbound.senderName : undefined;
  const chat = { ...where, address, ...(senderName && { senderName }), ...(reply && { reply }) };
  const at = { ids: parts.ids, now: parts.clock.now() };
  switch (inbound.type) {
    case 'start':
      return link(parts, chat, inbound.code);
    case 'press':
      return press(parts, chat, { ...inbound, connectionId });
    case 'text':
      return command(parts, chat, { ...inbound, connectionId });
    case 'command':
      return chatCommand(parts, chat, inbound.text);
    case 'blocked':
    case 'restored':
      if (await isRead(parts.sql, chat.reply)) return null;
      if (inbound.type === 'restored')
        await restoreContact(parts.sql, { ...chat, ...at }, blockedBy(channel).state);
      // Another bot may still reach them there; who answers STOP wants no SMS of the organisation.
      else if (
        channel === 'sms' ||
        !(await hasOther(parts.sql, organizationId, { channel, connectionId }))
      )
        await loseContact(parts, { ...chat, now: at.now }, blockedBy(channel));
      if (chat.reply) await recordRead(parts.sql, chat.reply, at.now);
      return null;
  }
}

/** It is delivered again, perhaps after the opposite of it. */
async function isRead(sql: Sql, reply: ReplyKey | undefined): Promise<boolean> {
  if (reply === undefined) return false;
  const { eventId, ...listed } = reply;
  return (await readBefore(sql, { ...listed, eventIds: [eventId] })).size > 0;
}

const blockedBy = (channel: string): Loss =>
  channel === 'sms'
    ? { state: 'opted_out', reason: 'The person has answered STOP to an SMS; START undoes that.' }
    : { state: 'blocked', reason: 'The person has blocked the bot.' };

type OneOf = { readonly channel: string; readonly connectionId: string };

async function hasOther(sql: Sql, organizationId: string, { channel, connectionId }: OneOf) {
  const connections = await listConnections(sql, { organizationId, archived: false });
  return connections.some(
    ({ id, enabled, channels }) => id !== connectionId && enabled && channels.includes(channel),
  );
}

async function link(parts: ReceiveParts, chat: Chat, code: string): Promise<Reply> {
  const { sql, ids, clock, secrets } = parts;
  const digest = linkCodeDigest(secrets, code);
  const linked = await linkChat(sql, {
    ...{ ...chat, ids, now: clock.now(), digest },
    contactsMax: accessLimits.contacts,
  });
  if (linked === null)
    return toStranger(
      parts,
      chat,
      replyOf('This code is not valid, or has expired. Make another one in Pager, under Me.'),
    );
  if (linked === 'full')
    return replyOf(`You have ${accessLimits.contacts} contacts, and can have no more. Remove one.`);
  const { name } = await sealedOrganization(sql, chat.organizationId);
  return replyOf(`Pages for ${nameOrEmail(linked)} (${name}) arrive here now.`);
}

const notOurs = 'This button is not valid any more. Open the incident in Pager.';

type Press = {
  readonly handle: string;
  readonly message?: Pick<Posted, 'place' | 'messageId'>;
  readonly connectionId: string;
};

async function press(parts: ReceiveParts, chat: Chat, pressed: Press): Promise<Reply> {
  const { connectionId } = pressed;
  const { digest } = parts.secrets;
  const tested = readGotIt(chat.organizationId, pressed.handle, digest);
  if (tested !== null) return gotIt(parts, chat, tested);
  const handle =
    readRunHandle(chat.organizationId, pressed.handle, digest) ??
    readHandle(chat.organizationId, pressed.handle, digest);
  if (handle === null) return replyOf(notOurs);
  const known = await knownPerson(parts, chat);
  if (!('person' in known)) {
    const action = 'what' in handle ? handle.what : handle.action;
    return refuse(parts, chat, { known, on: { action, incidentId: handle.incidentId } });
  }
  const { person } = known;
  if ('what' in handle) {
    await noteAnswered(parts, chat, person);
    const configuration = await configurationOf(parts, chat);
    return runChosen(parts, chat, { person, configuration, ...handle });
  }
  const { action, incidentId, at } = handle;
  const message = pressed.message && { connectionId, ...pressed.message };
  if (action === 'webhook' || action === 'playbook') {
    await noteAnswered(parts, chat, person);
    const configuration = await configurationOf(parts, chat);
    return listRunnables(parts, chat, {
      ...{ person, configuration, what: action, incidentId },
      ...(message && { message }),
    });
  }
  const reasonAgainst = (incident: Incident) =>
    action === 'escalate' && hasEscalated(at, incident)
      ? 'it was escalated since this message'
      : null;
  const { reply } = await perform(parts, chat, {
    ...{ person, action, incidentId, reasonAgainst },
    ...(message && { message }),
  });
  return reply;
}

async function gotIt(
  { sql, clock }: ReceiveParts,
  { organizationId, address, account }: Chat,
  { id }: TestedContact,
): Promise<Reply> {
  if (account !== undefined) return replyOf(notOurs);
  const isUsed = await recordProof(sql, { organizationId, id, at: address }, clock.now());
  return replyOf(isUsed ? gotItText : gotItTooLate);
}

type Text = Pick<Extract<Inbound, { type: 'text' }>, 'text' | 'isLate' | 'repliedTo'> & {
  readonly connectionId: string;
};

async function command(
  parts: ReceiveParts,
  chat: Chat,
  { text, isLate = false, repliedTo, connectionId }: Text,
): Promise<Reply> {
  const { sql } = parts;
  const people = await peopleByContact(sql, chat);
  const read = readCommand(text);
  if (people.length === 0) {
    const isSms = chat.channel === 'sms';
    const stranger = replyOf(isSms ? unknownNumber : unknownChat);
    if (!(await mayAnswer(parts, chat, 'unknown'))) return null;
    const on = await strangersTarget(
      sql,
      { ...chat, ...(repliedTo && { repliedTo: { connectionId, ...repliedTo } }) },
      read,
    );
    return refuse(parts, chat, { known: { stranger, who: strangerIn(parts, chat) }, on });
  }
  const { smsActions = 'all' } = chat;
  if (read === null)
    return (await mayAnswer(parts, chat, 'help')) ? replyOf(helpOf(smsActions)) : null;
  const mayNot = mayBySms(smsActions, read.action) ? null : replyOf(beyond(smsActions).text);
  const paged = {
    ...{ ...chat, isLate, userIds: people.map(({ id }) => id) },
    ...(repliedTo && { repliedTo: { connectionId, ...repliedTo } }),
  };
  const target = await targetOf(sql, paged, read);
  if (typeof target === 'string') return mayNot ?? replyOf(target);
  if ('which' in target)
    return (await mayAnswer(parts, chat, 'which')) ? (mayNot ?? replyOf(target.which)) : null;
  const [only, other] = people.filter(({ id }) => target.userId === null || target.userId === id);
  if (only === undefined || other !== undefined) return replyOf(sharedChat);
  const known = allowed(only);
  const on = { action: read.action, incidentId: target.id };
  if ('refused' in known) return refuse(parts, chat, { known, on });
  const { person } = known;
  if (mayNot !== null) {
    const { text: refused, why } = beyond(smsActions);
    return refuse(parts, chat, { known: { refused, who: unentitled(person, why) }, on });
  }
  return (await perform(parts, chat, { person, ...on })).reply;
}

/** Of what is not allowed: how it is answered, and what is noted as the end of a sentence. */
const beyond = (smsActions: SmsActions) =>
  smsActions === 'acknowledge'
    ? {
        text: 'By SMS you can only acknowledge. Open Pager for the rest.',
        why: 'by SMS an incident can only be acknowledged',
      }
    : { text: 'Answers by SMS do nothing. Open Pager.', why: 'answers by SMS do nothing' };

async function strangersTarget(
  sql: Sql,
  { organizationId, repliedTo }: Pick<PagedChat, 'organizationId' | 'repliedTo'>,
  read: Command | null,
) {
  if (read === null) return null;
  const { action, number } = read;
  const incidentId =
    number === null
      ? repliedTo && (await incidentOfPosted(sql, organizationId, repliedTo))
      : await idOfNumber(sql, organizationId, number);
  return incidentId ? { action, incidentId, isByNumber: true } : null;
}

function helpOf(smsActions: SmsActions): string {
  if (smsActions === 'none') return beyond(smsActions).text;
  const verbs = smsActions === 'all' ? 'ack 42, resolve 42 or escalate 42' : 'ack 42';
  return `Send: ${verbs}, with the number of the incident.`;
}

/** An SMS costs something, and a machine would answer it: the same goes to a number once in a while. */
async function mayAnswer(
  { sql, secrets, clock }: ReceiveParts,
  { organizationId, channel, address }: Chat,
  answer: TextAnswer,
): Promise<boolean> {
  if (channel !== 'sms') return true;
  const digest = addressDigest(secrets, address);
  return takeTextAnswer(sql, { organizationId, digest, answer, now: clock.now() });
}

/** Who was paged for it there; null: it need not be known. */
type Target = { readonly id: string; readonly userId: string | null };

/** Why there is none; `which`: several can be meant. */
type NoTarget = string | { readonly which: string };

type PagedChat = Chat & {
  readonly userIds: readonly string[];
  readonly isLate: boolean;
  readonly repliedTo?: Posted;
};

async function targetOf(sql: Sql, paged: PagedChat, read: Command): Promise<Target | NoTarget> {
  // What came before is answered for what it acted on then.
  const before = paged.reply ? await actedBefore(sql, paged.reply) : null;
  if (before !== null) {
    const { incidentId: id } = before;
    return { id, userId: await pagedFor(sql, paged, id) };
  }
  if (read.number !== null) return named(sql, paged, read.number);
  const { organizationId, repliedTo } = paged;
  if (repliedTo === undefined) return onlyPaged(sql, paged, read.action);
  const incidentId = await incidentOfPosted(sql, organizationId, repliedTo);
  // It is about what that message says, which may be another incident than the one that is open.
  if (incidentId === null) return onlyPaged(sql, { ...paged, isLate: true }, read.action);
  return { id: incidentId, userId: await pagedFor(sql, paged, incidentId) };
}

async function named(sql: Sql, paged: PagedChat, number: number): Promise<Target | string> {
  const { organizationId, channel } = paged;
  const scope = { organizationId, teamIds: null };
  const incident = await findIncident(sql, scope, { counter: number }).catch(unreadable);
  if (incident === 'unreadable') return notReadable;
  if (incident === null) return `There is no INC-${number}.`;
  const userId = await pagedFor(sql, paged, incident.id);
  // The sender of an SMS can be forged: it acts on nothing but what was sent to it.
  if (channel === 'sms' && userId === null) return `No page for INC-${number} was sent here.`;
  return { id: incident.id, userId };
}

/** Without a number, if only one incident can be meant. */
async function onlyPaged(
  sql: Sql,
  paged: PagedChat,
  action: Command['action'],
): Promise<Target | NoTarget> {
  const [first, ...others] = await openPagedIncidents(sql, paged, queryLimits.openPaged);
  if (first === undefined) return `No incident is open for which a page was sent here.`;
  if (others.length === 0 && !paged.isLate) return first;
  const list = [first, ...others].map(({ number }) => `INC-${number}`).join(', ');
  return {
    which: `Which incident? Open are ${list}. Send: ${action} ${first.number}, for example.`,
  };
}
