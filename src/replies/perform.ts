// Does to an incident what somebody does at a vendor, and answers what really happened.
import { type ActionResult, act } from '../engine/actions.ts';
import { noWake } from '../engine/wake.ts';
import type { Actor, Incident } from '../incidents/incident.ts';
import type { IncidentNotice } from '../notices/kinds/incident.ts';
import { compose } from '../notices/queued.ts';
import { isEnglish, phrasesOf } from '../notices/words/of-notice.ts';
import { channels } from '../resources/channels.ts';
import { maskedAddress } from '../resources/masked-address.ts';
import { nameOrEmail } from '../resources/person-name.ts';
import type { Role } from '../resources/roles.ts';
import type { Sql } from '../storage/database/database.ts';
import { surroundingsOf } from '../storage/incidents/surroundings.ts';
import { adoptPosted, refreshPosted } from '../storage/message-updates/posted-messages.ts';
import { recordProof } from '../storage/people/contact-proofs.ts';
import type { ContactPerson } from '../storage/people/contacts.ts';
import { sealedOrganization } from '../storage/people/organization.ts';
import { type Chat, type InboundParts, replyOf } from './chat.ts';
import { type HandleAction, handleText } from './handles.ts';
import type { Edit, PressedMessage, Reply } from './inbound.ts';
import { incidentNamed } from './incident-named.ts';

type Request = {
  readonly person: ContactPerson;
  readonly action: HandleAction;
  readonly incidentId: string;
  readonly reasonAgainst?: (incident: Incident) => string | null;
  /** The one that they pressed a button of. */
  readonly message?: PressedMessage;
  /** What they wrote besides; empty: nothing. */
  readonly note?: string;
};

/** On top of the message, in the words of its reader. */
const done = {
  acknowledge: 'Acknowledged',
  unacknowledge: 'Unacknowledged',
  resolve: 'Resolved',
  escalate: 'Escalated',
} as const;

/** Where a sender can be forged, with the address that it was sent from. */
export const actorOf = (
  { channel: via, address }: Pick<Chat, 'channel' | 'address'>,
  person: ContactPerson,
): Actor => ({
  type: 'user',
  id: person.id,
  name: nameOrEmail(person),
  via,
  ...(channels[via].replies.sender === 'forgeable' && { from: maskedAddress(address) }),
});

type Performed = { readonly reply: NonNullable<Reply>; readonly acted: ActionResult };

export async function perform(
  parts: InboundParts,
  chat: Chat,
  request: Request,
): Promise<Performed> {
  const { person, action, incidentId, message, reasonAgainst, note = '' } = request;
  const { reply } = chat;
  const by = actorOf(chat, person);
  const acted = await act(
    parts,
    { organizationId: chat.organizationId, id: incidentId },
    {
      action: { type: action, by },
      mayTouch: () => true,
      mayBeLate: true,
      ...(reasonAgainst && { reasonAgainst }),
      ...(reply && { reply }),
    },
  );
  await noteAnswered(parts, chat, person);
  if (acted.result === 'done' || acted.result === 'unchanged')
    await addNote(parts, chat, { by, note, incidentId });
  const { answer } = phrasesOf(chat);
  const replyTo = async (): Promise<NonNullable<Reply>> => {
    if (acted.result === 'done') {
      const { incident } = acted;
      const taken = { action: done[action], by: by.name, at: parts.clock.now() };
      const text = answer.done[action](`INC-${incident.number}`);
      return { text, ...(await editOf(parts, { chat, person, incident, taken, message })) };
    }
    if (acted.result === 'unchanged')
      return unchanged(parts, { chat, person, message, action, ...acted }, acted.reason);
    // For it changes nothing where it is late, only one that cannot be read is refused.
    return replyOf(acted.result === 'not_found' ? answer.notThere : answer.notReadable);
  };
  return { reply: await replyTo(), acted };
}

type Note = { readonly by: Actor; readonly note: string; readonly incidentId: string };

/** What they asked for is done, whether or not their note is kept. */
async function addNote(
  parts: InboundParts,
  { organizationId, reply }: Chat,
  { by, note, incidentId: id }: Note,
): Promise<void> {
  if (note === '') return;
  const action = { type: 'note', by, text: note } as const;
  const own = reply && { ...reply, eventId: `${reply.eventId} note` };
  try {
    await act(
      parts,
      { organizationId, id },
      { action, mayTouch: () => true, ...(own && { reply: own }) },
    );
  } catch (error) {
    parts.failed(error);
  }
}

/**
 * What they did is done, whether or not it can be noted that their contact works. The sender of an SMS
 * can be forged, so none proves that.
 */
export async function noteAnswered(
  { sql, clock, failed }: InboundParts,
  { account, writtenAt = clock.now(), ...chat }: Chat,
  { id: userId }: Pick<ContactPerson, 'id'>,
): Promise<void> {
  if (account !== undefined || channels[chat.channel].replies.sender === 'forgeable') return;
  try {
    await recordProof(sql, { ...chat, userId }, writtenAt);
  } catch (error) {
    failed(error);
  }
}

/** For who comes too late; the message that they used is brought up to date. */
export async function unchanged(
  parts: InboundParts,
  request: EditRequest,
  reason: string,
): Promise<NonNullable<Reply>> {
  const text = unchangedText(request, reason);
  return { text, ...(await editOf(parts, request)) };
}

/** What the incident is now says why, where the reason is in another language. */
function unchangedText({ chat, action, incident }: EditRequest, reason: string): string {
  const { answer, proposal } = phrasesOf(chat);
  const name = `INC-${incident.number}`;
  if (isEnglish(chat) || incident.status !== 'triggered')
    return answer.unchanged[incident.status](name, reason);
  if (action === 'escalate') return answer.unchanged.escalated(name, reason);
  return action === 'unacknowledge' ? answer.unchanged.triggered(name, reason) : proposal.nothing;
}

export const resolvedBefore = ({ number, status }: Incident): string | null =>
  status === 'resolved' ? `INC-${number} is already resolved` : null;

export async function resolvedBy(sql: Sql, incident: Incident): Promise<string> {
  const { resolved_by } = await surroundingsOf(sql, incident, null);
  return resolved_by === null ? '' : `, by ${resolved_by}`;
}

type EditRequest = Pick<Edit, 'taken'> & {
  readonly message?: PressedMessage | undefined;
  readonly action?: HandleAction;
  readonly chat: Chat;
  readonly person: ContactPerson;
  readonly incident: Incident;
};

/**
 * The message as it is to be read now, if it is not one of those that are changed with their
 * incident: that is then done at once. What was done is done, whether or not it can be shown.
 */
async function editOf(
  parts: InboundParts,
  request: EditRequest,
): Promise<{ readonly edit?: Edit }> {
  const { committed } = parts;
  const { message } = request;
  try {
    if (message && (await isRefreshed(parts, request, message))) {
      committed({ ...noWake, posts: true });
      return {};
    }
    return { edit: await composeEdit(parts, request) };
  } catch (error) {
    parts.failed(error);
    return {};
  }
}

/** From now on at least: what was sent is known by its button, also if its answer was lost. */
async function isRefreshed(
  { sql, clock, secrets }: InboundParts,
  { chat: { organizationId, channel }, incident }: EditRequest,
  message: PressedMessage,
): Promise<boolean> {
  const now = clock.now();
  if (await refreshPosted(sql, organizationId, message, now)) return true;
  const { room: address = message.place } = message;
  return adoptPosted({ sql, secrets }, { incident, channel, address, posted: message, now });
}

type NoticeRequest = Omit<EditRequest, 'incident' | 'taken' | 'message' | 'person'> & {
  /** Null: a chat of many. */
  readonly person: ContactPerson | null;
  readonly incidentId: string;
};

/** The page about an incident as it is now; null: it is not there, or cannot be read. */
export async function noticeOf(
  parts: InboundParts,
  { chat, person, incidentId }: NoticeRequest,
): Promise<IncidentNotice | null> {
  const incident = await incidentNamed(parts.sql, chat.organizationId, { id: incidentId });
  if (typeof incident === 'string') return null;
  return (await composeEdit(parts, { chat, person, incident })).notice;
}

async function composeEdit(
  { sql, secrets, publicUrl }: InboundParts,
  { chat, person, incident, taken }: Omit<EditRequest, 'person'> & Pick<NoticeRequest, 'person'>,
): Promise<Edit> {
  // A chat of many is nobody's own: the message there was written for all of them.
  const reader = chat.account === undefined ? person : null;
  const [{ service, timezone, language }, organization] = await Promise.all([
    surroundingsOf(sql, incident, reader?.id ?? null),
    sealedOrganization(sql, chat.organizationId),
  ]);
  const notice = compose(
    {
      about: 'incident',
      kind: 'page',
      channel: chat.channel,
      address: chat.address,
      organization_id: organization.id,
      organizationName: organization.name,
      key: incident.id,
      mention: null,
      why: '',
      recipient: reader && nameOrEmail(reader),
      user_id: reader?.id ?? null,
      // The reader has held the role to those there are.
      cycle: 0,
      step: 0,
      incident,
      serviceName: service,
      timezone,
      language,
      role: reader && (reader.role as Role),
    },
    {
      publicUrl,
      linkFor: () => '',
      handleFor: (one, action) => handleText({ action, incident: one }, secrets.digest),
    },
  );
  if (notice.about !== 'incident') throw new Error('a page is about an incident');
  return { notice, ...(taken && { taken }) };
}
