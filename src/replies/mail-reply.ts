// A reply to a page by e-mail. Its sender can be forged, so it counts only if it was sent to the address of
// a page, and from the contact that got that page.
import { createHash } from 'node:crypto';
import { act } from '../engine/actions.ts';
import type { Actor, Incident } from '../incidents/incident.ts';
import { mailChannel } from '../resources/channels.ts';
import { maskedAddress } from '../resources/masked-address.ts';
import { nameOrEmail } from '../resources/person-name.ts';
import type { MailedPage } from '../storage/incidents/mailed-pages.ts';
import { type ContactPerson, peopleByContact } from '../storage/people/contacts.ts';
import { type Chat, type InboundParts, replyOf } from './chat.ts';
import { hasEscalated } from './handles.ts';
import { incidentNamed } from './incident-named.ts';
import { allowed, strangerIn } from './known-person.ts';
import { markOf } from './mail-handles.ts';
import { perform } from './perform.ts';
import { refuse } from './refused-actions.ts';
import { type Command, readText } from './verbs.ts';

export type WrittenMail = {
  readonly from: string;
  /** What its person wrote, without the quote. */
  readonly written: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Why something was not done, and the person to whom that is sent. */
export type MailAnswer = {
  readonly person: ContactPerson;
  readonly incident: Pick<Incident, 'id' | 'number'>;
  readonly text: string;
};

export type MailResult =
  /** Null: it was done, which the timeline and the dashboard show. */
  | { readonly answer: MailAnswer | null }
  /** Nothing was done, and nobody is sent an answer. */
  | { readonly refused: string };

export async function handleReply(
  parts: InboundParts,
  page: MailedPage,
  mail: WrittenMail,
): Promise<MailResult> {
  const chat = chatOf(page, mail);
  const request = requestIn(mail.written);
  const on = 'action' in request ? { ...request, incidentId: page.incidentId } : null;
  const person = await personOf(parts, page, mail);
  if (person === null) {
    const stranger = { ...chat, address: mail.from };
    const known = { stranger: replyOf(notFromContact), who: strangerIn(parts, stranger) };
    await refuse(parts, stranger, { known, on });
    return { refused: notFromContact };
  }
  const incident = await incidentNamed(parts.sql, chat.organizationId, { id: page.incidentId });
  if (typeof incident === 'string') return { refused: incident };
  const answerOf = (text: string): MailResult => ({ answer: { person, incident, text } });
  const known = allowed(person);
  if ('refused' in known) {
    const reply = await refuse(parts, chat, { known, on });
    return reply === null ? { answer: null } : answerOf(`Nothing was changed. ${reply.text}`);
  }
  const done = await doIt(parts, { chat, page, person, incident, request });
  return done === null ? { answer: null } : answerOf(done);
}

const notFromContact = 'This reply was not sent from the address that was paged';

type Requested =
  | { readonly action: Command['action']; readonly number: number | null; readonly note: string }
  | { readonly action: 'note'; readonly note: string; readonly isUnclear: boolean };

type Request = Requested | { readonly isEmpty: true };

/** The first line is a verb, and what stands below it is a note. Else all of it is one. */
function requestIn(written: string): Request {
  if (written === '') return { isEmpty: true };
  const [first = '', ...below] = written.split('\n');
  const read = readText(first);
  if ('command' in read) {
    const note = [read.command.note, below.join('\n').trim()].filter(Boolean).join('\n');
    return { ...read.command, note };
  }
  const { guesses, isSeveral } = read.unclear;
  const isUnclear = isSeveral || guesses.some(({ action }) => action !== null);
  return { action: 'note', note: written, isUnclear };
}

type Doing = {
  readonly chat: Chat;
  readonly page: MailedPage;
  readonly person: ContactPerson;
  readonly incident: Incident;
  readonly request: Request;
};

/** Null: it is done. */
async function doIt(parts: InboundParts, doing: Doing): Promise<string | null> {
  const { chat, page, person, incident, request } = doing;
  if ('isEmpty' in request)
    return `Nothing was changed: your reply has no text above the quoted e-mail. ${howTo}`;
  if (request.action === 'note') {
    const reason = await addNote(parts, doing, request.note);
    if (reason !== null) return reason;
    return request.isUnclear
      ? `Your reply was added to INC-${incident.number} as a note, and nothing else was changed. ${howTo}`
      : null;
  }
  const { action, number, note } = request;
  if (number !== null && number !== incident.number)
    return `Nothing was changed: you wrote INC-${number}, but replied to the page about INC-${incident.number}. Reply to the page about INC-${number} instead.`;
  const { incidentId, cycle, step, kind } = page;
  const at = { cycle, nextStep: step + 1 };
  const reasonAgainst = (now: Incident) =>
    action === 'escalate' && kind === 'page' && hasEscalated(at, now)
      ? 'it was escalated after this e-mail'
      : null;
  const performing = { person, action, incidentId, note, reasonAgainst };
  const { acted, reply } = await perform(parts, chat, performing);
  return acted.result === 'done' ? null : reply.text;
}

const howTo =
  'To act on the incident, write one word in the first line of your reply: acknowledge, resolve or escalate.';

/** Why it was not added; null: it was. */
async function addNote(
  parts: InboundParts,
  { chat, page, person }: Doing,
  text: string,
): Promise<string | null> {
  const { organizationId, channel: via, address, reply } = chat;
  const name = nameOrEmail(person);
  const by: Actor = { type: 'user', id: person.id, name, via, from: maskedAddress(address) };
  const acted = await act(
    parts,
    { organizationId, id: page.incidentId },
    { action: { type: 'note', by, text }, mayTouch: () => true, ...(reply && { reply }) },
  );
  if (acted.result === 'done') return null;
  return acted.result === 'not_found'
    ? 'This incident no longer exists.'
    : `Your note was not added: ${acted.reason}.`;
}

/** Who was paged, if the mail is from there and that is still a contact of theirs. */
async function personOf(
  { sql }: InboundParts,
  { attempt: { organization_id: organizationId }, address, userId }: MailedPage,
  { from }: WrittenMail,
): Promise<ContactPerson | null> {
  if (from.toLowerCase() !== address.toLowerCase()) return null;
  const people = await peopleByContact(sql, { organizationId, channel: mailChannel, address });
  return people.find(({ id }) => id === userId) ?? null;
}

/** Delivered again, a mail has the same Message-ID. */
function chatOf({ attempt, incidentId, address }: MailedPage, mail: WrittenMail): Chat {
  const { organization_id: organizationId } = attempt;
  const name = mail.headers['message-id'] ?? JSON.stringify([mail.headers['date'], mail.written]);
  const digest = createHash('sha256').update(name).digest('hex');
  const eventId = `mail ${incidentId}${markOf(attempt)} ${digest}`;
  const reply = { organizationId, connectionId: null, eventId };
  return { organizationId, channel: mailChannel, address, reply };
}
