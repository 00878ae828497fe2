// What people write: a verb and a number act on one incident, and everybody who was paged gets an answer.
import type { PostedMessage } from '../engine/sending/channel.ts';
import { queryLimits } from '../limits/queries.ts';
import { phrasesOf } from '../notices/words/of-notice.ts';
import { channels } from '../resources/channels.ts';
import { mayBySms, type SmsActions } from '../resources/connections/sms-actions.ts';
import { actedBefore } from '../storage/connections/replies.ts';
import {
  answeredAt,
  noteAnswer,
  takeAnswer,
  takeStrangersAnswer,
} from '../storage/connections/text-answers.ts';
import type { Sql } from '../storage/database/database.ts';
import { incidentOfMessage } from '../storage/incidents/message-sent.ts';
import {
  lastSentTo,
  openPagedIncidents,
  type PagedIncident,
  pagedFor,
} from '../storage/incidents/paged.ts';
import { type ContactPerson, peopleByContact } from '../storage/people/contacts.ts';
import { type Chat, type InboundParts, replyOf } from './chat.ts';
import { addressDigest } from './digests.ts';
import type { Inbound, Reply } from './inbound.ts';
import { incidentNamed } from './incident-named.ts';
import { allowed, strangerIn, unentitled } from './known-person.ts';
import { noteAnswered, perform } from './perform.ts';
import { proposalFor } from './proposal.ts';
import { idOfNumber, refuse } from './refused-actions.ts';
import { type Command, type Guess, readText, type Unclear, type Verb } from './verbs.ts';

type Text = Pick<Extract<Inbound, { type: 'text' }>, 'text' | 'isLate' | 'repliedTo'> & {
  readonly connectionId: string | null;
};

export async function answerText(
  parts: InboundParts,
  chat: Chat,
  { text, isLate = false, repliedTo, connectionId }: Text,
): Promise<Reply> {
  const people = await peopleByContact(parts.sql, chat);
  const read = readText(text);
  const message = connectionId === null || !repliedTo ? null : { connectionId, ...repliedTo };
  if (people.length === 0)
    return answerStranger(parts, chat, {
      command: 'command' in read ? read.command : null,
      ...(message && { repliedTo: message }),
    });
  const paged = {
    ...chat,
    isLate,
    people,
    userIds: people.map(({ id }) => id),
    digest: addressDigest(parts.secrets, chat.address),
    ...(message && { repliedTo: message }),
  };
  const { reply, isDone } = await answerPaged(parts, paged, read);
  return (await mayAnswer(parts, paged, isDone)) ? reply : null;
}

type Answered = {
  readonly reply: Reply;
  /** It has changed something, and not only been read. */
  readonly isDone: boolean;
};

const undone = (reply: Reply | string): Answered => ({
  reply: typeof reply === 'string' ? replyOf(reply) : reply,
  isDone: false,
});

async function answerPaged(
  parts: InboundParts,
  paged: PagedChat,
  read: ReturnType<typeof readText>,
): Promise<Answered> {
  const { sql } = parts;
  const { people, smsActions = 'all' } = paged;
  if ('unclear' in read) return undone(await propose(sql, paged, read.unclear));
  const { action, note } = read.command;
  const mayNot = mayBySms(smsActions, action) ? null : replyOf(beyond(paged, smsActions).text);
  const target = await targetOf(sql, paged, read.command);
  if (typeof target === 'string') return undone(mayNot ?? target);
  if ('guess' in target) {
    // Whoever replies to a message has received it, such as a test page.
    if (paged.repliedTo && people.length === 1)
      for (const person of people) await noteAnswered(parts, paged, person);
    return undone(
      mayNot ?? (await propose(sql, paged, { guesses: [target.guess], isSeveral: false })),
    );
  }
  const [only, other] = people.filter(({ id }) => target.userId === null || target.userId === id);
  if (only === undefined || other !== undefined) return undone(phrasesOf(paged).answer.shared);
  const known = allowed(only, { phrases: phrasesOf(paged) });
  const on = { action, incidentId: target.id };
  if ('refused' in known) return undone(await refuse(parts, paged, { known, on }));
  const { person } = known;
  if (mayNot !== null) {
    const { text: refused, why } = beyond(paged, smsActions);
    const may = { refused, who: unentitled(person, why) };
    return undone(await refuse(parts, paged, { known: may, on }));
  }
  const { reply, acted } = await perform(parts, paged, { person, note, ...on });
  return { reply, isDone: acted.result === 'done' };
}

/** Of what is not allowed: how it is answered, and what is noted as the end of a sentence. */
function beyond(chat: Chat, smsActions: SmsActions) {
  const { smsAcknowledgesOnly, smsHasNoEffect } = phrasesOf(chat).answer;
  return smsActions === 'acknowledge'
    ? { text: smsAcknowledgesOnly, why: 'by SMS an incident can only be acknowledged' }
    : { text: smsHasNoEffect, why: 'SMS replies have no effect' };
}

type Stranger = { readonly command: Command | null; readonly repliedTo?: PostedMessage };

async function answerStranger(
  parts: InboundParts,
  chat: Chat,
  { command, repliedTo }: Stranger,
): Promise<Reply> {
  const { sql, secrets, clock } = parts;
  const { organizationId, channel, address } = chat;
  const { proved, billed } = channels[channel];
  const words = phrasesOf(chat).answer;
  const stranger = replyOf(proved === 'link' ? words.unlinkedChat : words.unlinkedNumber);
  if (billed) {
    const digest = addressDigest(secrets, address);
    const answer = { organizationId, digest, now: clock.now() };
    if (!(await takeStrangersAnswer(sql, answer))) return null;
  }
  const on =
    command && (await strangersTarget(sql, { organizationId, channel, command, repliedTo }));
  return refuse(parts, chat, { known: { stranger, who: strangerIn(parts, chat) }, on });
}

async function strangersTarget(
  sql: Sql,
  { organizationId, channel, command: { action, number }, repliedTo }: StrangersCommand,
) {
  const incidentId =
    number === null
      ? repliedTo && (await incidentOfMessage(sql, { organizationId, channel, ...repliedTo }))
      : await idOfNumber(sql, organizationId, number);
  return incidentId ? { action, incidentId, isByNumber: true } : null;
}

type StrangersCommand = Pick<Chat, 'organizationId' | 'channel'> & {
  readonly command: Command;
  readonly repliedTo: PostedMessage | undefined;
};

/** An SMS costs something, and a machine may answer it: what did nothing is answered only so often. */
async function mayAnswer(parts: InboundParts, paged: PagedChat, isDone: boolean): Promise<boolean> {
  const { sql, clock } = parts;
  const { organizationId, channel, digest } = paged;
  if (!channels[channel].billed) return true;
  const answer = { organizationId, digest, now: clock.now() };
  if (!isDone) {
    const pagedAt = (await lastSentTo(sql, paged)).find(({ isPage }) => isPage)?.at ?? null;
    return takeAnswer(sql, { ...answer, pagedAt });
  }
  try {
    await noteAnswer(sql, answer);
  } catch (error) {
    // It has acted.
    parts.failed(error);
  }
  return true;
}

type PagedChat = Chat & {
  readonly people: readonly ContactPerson[];
  readonly userIds: readonly string[];
  /** Of the address. */
  readonly digest: Uint8Array;
  readonly isLate: boolean;
  readonly repliedTo?: PostedMessage;
};

const openHere = (sql: Sql, paged: PagedChat): Promise<readonly PagedIncident[]> =>
  openPagedIncidents(sql, paged, queryLimits.openPaged);

async function propose(
  sql: Sql,
  paged: PagedChat,
  { guesses, isSeveral }: Unclear,
): Promise<string> {
  const { smsActions = 'all' } = paged;
  if (smsActions === 'none') return beyond(paged, smsActions).text;
  const open = await openHere(sql, paged);
  const may = (action: Verb) => mayBySms(smsActions, action);
  return proposalFor({ guesses, isSeveral, open, may }, phrasesOf(paged));
}

/** The incident, and who was paged for it there; null: any person of the address may act. */
type Target = { readonly id: string; readonly userId: string | null };

/** Why there is none; `guess`: it is not sure. */
type NoTarget = string | { readonly guess: Guess };

async function targetOf(sql: Sql, paged: PagedChat, read: Command): Promise<Target | NoTarget> {
  // What came before is answered for what it acted on then.
  const before = paged.reply ? await actedBefore(sql, paged.reply) : null;
  if (before !== null) {
    const { incidentId: id } = before;
    return { id, userId: await pagedFor(sql, paged, id) };
  }
  if (read.number !== null) return named(sql, paged, read.number);
  const { organizationId, channel, repliedTo } = paged;
  if (repliedTo === undefined) return pagedLast(sql, paged, read);
  const incidentId = await incidentOfMessage(sql, { organizationId, channel, ...repliedTo });
  // It is about what that message says, which may be another incident than the one that is open.
  if (incidentId === null) return { guess: read };
  return { id: incidentId, userId: await pagedFor(sql, paged, incidentId) };
}

async function named(sql: Sql, paged: PagedChat, number: number): Promise<Target | string> {
  const { organizationId, channel } = paged;
  const { answer } = phrasesOf(paged);
  const incident = await incidentNamed(sql, organizationId, { number }, answer);
  if (typeof incident === 'string') return incident;
  const userId = await pagedFor(sql, paged, incident.id);
  // The sender of an SMS can be forged: it acts on nothing but what was sent to it.
  if (channels[channel].replies.sender === 'forgeable' && userId === null)
    return answer.notPagedHere(number);
  return { id: incident.id, userId };
}

/**
 * Without a number: the one that is triggered, if the last thing that was sent there was a page of it.
 * Whoever was sent something else since may mean that.
 */
async function pagedLast(sql: Sql, paged: PagedChat, guess: Guess): Promise<Target | NoTarget> {
  const open = await openHere(sql, paged);
  const [only, other] = open.filter(({ status }) => status === 'triggered');
  // Others may be open that are not among them.
  const isOnly = other === undefined && open.length < queryLimits.openPaged;
  if (only === undefined || !isOnly || paged.isLate) return { guess };
  const [last] = await lastSentTo(sql, paged);
  if (last?.isPage !== true || last.incidentId !== only.id) return { guess };
  const { organizationId, digest } = paged;
  const answered = await answeredAt(sql, { organizationId, digest });
  const isLast = answered === null || Temporal.Instant.compare(answered, last.at) < 0;
  return isLast ? only : { guess };
}
