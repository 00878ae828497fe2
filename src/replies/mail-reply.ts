// A reply to a page by e-mail. Its sender can be forged, so it counts only if it was sent to the address of
// a page, and from the contact that got that page.
import { createHash } from 'node:crypto';
import type { Incident } from '../incidents/incident.ts';
import { mailChannel } from '../resources/channels.ts';
import type { MailedPage } from '../storage/incidents/mailed-pages.ts';
import { type ContactPerson, peopleByContact } from '../storage/people/contacts.ts';
import { type Chat, type InboundParts, replyOf } from './chat.ts';
import { hasEscalated } from './handles.ts';
import { incidentNamed } from './incident-named.ts';
import { allowed, strangerIn } from './known-person.ts';
import { markOf } from './mail-handles.ts';
import { refuse } from './refused-actions.ts';
import { doWritten, howToAct, requestIn, type WrittenRequest } from './written-request.ts';

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
  const request = mail.written === '' ? null : requestIn(mail.written);
  const on = request && { action: request.action, incidentId: page.incidentId };
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

type Doing = {
  readonly chat: Chat;
  readonly page: MailedPage;
  readonly person: ContactPerson;
  readonly incident: Incident;
  readonly request: WrittenRequest | null;
};

/** Null: it is done. */
async function doIt(
  parts: InboundParts,
  { chat, page, request, ...doing }: Doing,
): Promise<string | null> {
  if (request === null)
    return `Nothing was changed: your reply has no text above the quoted e-mail. ${howToAct}`;
  const { cycle, step, kind } = page;
  const at = { cycle, nextStep: step + 1 };
  const reasonAgainst = (now: Incident) =>
    request.action === 'escalate' && kind === 'page' && hasEscalated(at, now)
      ? 'it was escalated after this e-mail'
      : null;
  const { reply, isDone } = await doWritten(parts, chat, { ...doing, request, reasonAgainst });
  return isDone ? null : reply.text;
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
