// What people do at a vendor: they link a chat, press a button, write. Each ends in the same functions
// as the API, and the answer says what really happened.
import type { Incident } from '../incidents/incident.ts';
import { accessLimits } from '../limits/access.ts';
import type { IncidentNotice } from '../notices/kinds/incident.ts';
import { phrasesOf } from '../notices/words/of-notice.ts';
import { phrasesIn } from '../notices/words/phrases.ts';
import {
  answersBy,
  channels,
  isLocalized,
  isNumberChannel,
  languageOn,
  type ReplyChannel,
} from '../resources/channels.ts';
import { prefixesIn } from '../resources/connections/numbers.ts';
import { smsActionsIn } from '../resources/connections/sms-actions.ts';
import { nameOrEmail } from '../resources/person-name.ts';
import { reasonAgainstNewNumber } from '../resources/phone-prefixes.ts';
import { addChatTeam, removeChatTeam } from '../storage/connections/chat-teams.ts';
import { recordProof } from '../storage/people/contact-proofs.ts';
import { recordWritten } from '../storage/people/contact-windows.ts';
import { linkChat } from '../storage/people/contacts.ts';
import { languageAt } from '../storage/people/languages.ts';
import { sealedOrganization } from '../storage/people/organization.ts';
import { type ReadOut, readAttemptHandle, readReadOutHandle } from './attempt-handles.ts';
import { type Chat, configurationOf, type InboundParts, replyOf, toStranger } from './chat.ts';
import { chatCommand } from './chat-command.ts';
import { listRunnables, runChosen } from './chat-run.ts';
import { linkCodeDigest } from './digests.ts';
import { readGotIt, type TestedContact } from './got-it.ts';
import { hasEscalated, readHandle, readRunHandle } from './handles.ts';
import type { Inbound, PressedMessage, Reply, Source, SourceConnection } from './inbound.ts';
import { knownPerson } from './known-person.ts';
import { isLate } from './late.ts';
import { optOut } from './opt-out.ts';
import { noteAnswered, noticeOf, perform } from './perform.ts';
import { pressKey } from './pressed-key.ts';
import { refuse } from './refused-actions.ts';
import { answerText } from './text-commands.ts';
import { answerInThread, type Thread, threadBelow } from './thread.ts';
import { takeReceipt } from './vendor-receipts.ts';

/** Does what somebody asks for or a vendor reports. The reply says what happened. */
export async function handleInbound(
  parts: InboundParts,
  source: Source,
  inbound: Inbound,
): Promise<Reply> {
  const { channel, connection } = source;
  switch (inbound.type) {
    case 'ignored':
      return null;
    case 'receipt': {
      const attempt = readOutIn(parts, source, inbound.handle)?.call;
      if (attempt !== undefined && connection !== null)
        await takeReceipt(parts, { connection, channel, attempt, inbound });
      return null;
    }
    case 'key': {
      const readOut = readOutIn(parts, source, inbound.handle);
      return readOut === null || connection === null || !answersBy('keys', channel)
        ? replyOf('This call is unknown.')
        : pressKey(parts, { connection, channel, readOut, inbound });
    }
    case 'refresh':
      return answersBy('commands', channel)
        ? refresh(parts, { ...source, channel }, inbound.handle)
        : null;
    case 'joined':
    case 'left':
      return connection === null ? null : noteTeam(parts, { ...source, connection }, inbound);
    default:
      if (!answersBy('texts', channel) && !answersBy('commands', channel)) return null;
      return noteWritten(parts, { ...source, channel }, inbound, () =>
        answer(parts, { ...source, channel }, inbound),
      );
  }
}

/** Null: it is not ours, or another organization's. */
function readOutIn(
  { secrets: { digest } }: InboundParts,
  { organizationId }: Source,
  handle: string | undefined,
): ReadOut | null {
  if (handle === undefined) return null;
  const readOut = readAttemptHandle(handle, digest) ?? readReadOutHandle(handle, digest);
  return readOut?.call.organization_id === organizationId ? readOut : null;
}

type FromPerson = Extract<Inbound, { readonly address: string }>;

/**
 * Some vendors let Pager send free text only to whoever has just written. Whoever links their chat has a contact only
 * after that; and what was done is done, whether or not this can be noted.
 */
async function noteWritten(
  { sql, clock, failed }: InboundParts,
  { organizationId, channel, connection }: Source & { readonly channel: ReplyChannel },
  inbound: FromPerson,
  answered: () => Promise<Reply>,
): Promise<Reply> {
  const reply = await answered();
  if (connection === null || channels[channel].replies.freeText !== 'in window') return reply;
  const now = clock.now();
  const { address } = inbound;
  const at = writtenAtOf(inbound, now) ?? now;
  try {
    await recordWritten(sql, { organizationId, connectionId: connection.id, channel, address }, at);
  } catch (error) {
    failed(error);
  }
  return reply;
}

/** No later than now, whatever the vendor's clock shows. */
function writtenAtOf(inbound: FromPerson, now: Temporal.Instant): Temporal.Instant | undefined {
  const { writtenAt } = 'writtenAt' in inbound ? inbound : {};
  return writtenAt && Temporal.Instant.compare(writtenAt, now) > 0 ? now : writtenAt;
}

/** What a person did at the vendor. */
async function answer(
  parts: InboundParts,
  { connection, ...where }: Source & { readonly channel: ReplyChannel },
  inbound: FromPerson,
): Promise<Reply> {
  const { channel } = where;
  const { sender } = channels[channel].replies;
  const connectionId = connection?.id ?? null;
  const writtenAt = writtenAtOf(inbound, parts.clock.now());
  const chat = {
    ...chatOf(where, connection, inbound, sender === 'forgeable'),
    ...(isLocalized(channel) && {
      language: await languageAt(parts.sql, { ...where, address: inbound.address }),
    }),
    ...(writtenAt && { writtenAt }),
  };
  switch (inbound.type) {
    case 'start':
      return link(parts, chat, { code: inbound.code, connection });
    case 'press':
      return press(parts, chat, { ...inbound, connectionId });
    case 'text': {
      const text = { ...inbound, isLate: isLateIn(parts, inbound) };
      if (answersBy('texts', channel)) return answerText(parts, chat, { ...text, connectionId });
      // Not written to Pager: it counts only below a page.
      const thread = await threadOf(parts, chat, { inbound, connectionId });
      return thread && answerInThread(parts, chat, { ...text, thread, isAddressed: false });
    }
    case 'command': {
      const thread = await threadOf(parts, chat, { inbound, connectionId });
      const { text } = inbound;
      return chatCommand(parts, chat, { text, thread, isLate: isLateIn(parts, inbound) });
    }
    case 'blocked':
    case 'restored':
      return optOut(parts, chat, { ...inbound, connectionId });
  }
}

type Written = Extract<Inbound, { readonly type: 'text' | 'command' }>;

function isLateIn({ clock }: InboundParts, inbound: Written): boolean {
  const { writtenAt } = inbound;
  const isKnownLate = inbound.type === 'text' && inbound.isLate === true;
  return isKnownLate || (writtenAt !== undefined && isLate(writtenAt, clock.now()));
}

type InThread = { readonly inbound: Written; readonly connectionId: string | null };

/** The one of a page in which it was written. */
async function threadOf(
  parts: InboundParts,
  chat: Chat,
  { inbound: { repliedTo }, connectionId }: InThread,
): Promise<Thread | null> {
  if (connectionId === null || repliedTo === undefined) return null;
  return threadBelow(parts, chat, { connectionId, ...repliedTo });
}

function chatOf(
  where: Pick<Chat, 'organizationId' | 'channel'>,
  connection: Source['connection'],
  inbound: FromPerson,
  isForgeable: boolean,
): Chat {
  const { organizationId } = where;
  const eventId = 'eventId' in inbound ? inbound.eventId : undefined;
  const account = 'account' in inbound ? inbound.account : undefined;
  const senderName = 'senderName' in inbound ? inbound.senderName : undefined;
  return {
    ...where,
    address: inbound.address,
    ...(account && { account }),
    ...(senderName && { senderName }),
    ...(isForgeable && connection && { smsActions: smsActionsIn(connection.settings) }),
    ...(eventId &&
      connection && { reply: { organizationId, connectionId: connection.id, eventId } }),
  };
}

type Linking = { readonly code: string; readonly connection: Source['connection'] };

async function link(
  parts: InboundParts,
  chat: Chat,
  { code, connection }: Linking,
): Promise<Reply> {
  const { sql, ids, clock, secrets } = parts;
  const against =
    connection && isNumberChannel(chat.channel)
      ? reasonAgainstNewNumber(chat.address, prefixesIn(connection.settings))
      : null;
  if (against !== null)
    return toStranger(parts, chat, replyOf(phrasesOf(chat).answer.numberCannotBeLinked(against)));
  const digest = linkCodeDigest(secrets, code);
  const linked = await linkChat(sql, {
    ...chat,
    ids,
    now: clock.now(),
    digest,
    contactsMax: accessLimits.contacts,
  });
  if (linked === null)
    return toStranger(parts, chat, replyOf(phrasesOf(chat).answer.codeIsInvalid));
  if (linked === 'full')
    return replyOf(phrasesOf(chat).answer.contactsAreFull(accessLimits.contacts));
  const { name } = await sealedOrganization(sql, chat.organizationId);
  // It is known only now whose chat it is.
  const language = languageOn(chat.channel, await languageAt(sql, chat));
  return replyOf(phrasesIn(language).answer.linked(nameOrEmail(linked), name));
}

const notOurs = (chat: Chat) => replyOf(phrasesOf(chat).answer.buttonIsOld);

type Press = {
  readonly handle: string;
  readonly message?: Omit<PressedMessage, 'connectionId'>;
  readonly connectionId: string | null;
  readonly isShown?: true;
};

async function press(
  parts: InboundParts,
  chat: Chat,
  { isShown, ...pressed }: Press,
): Promise<Reply> {
  const reply = await pressOne(parts, chat, pressed);
  if (reply === null || isShown !== true) return reply;
  const shown = await shownBy(parts, chat, pressed.handle);
  return { ...reply, ...(shown && { shown }) };
}

/** What was done is done, whether or not it can be shown. */
async function shownBy(
  parts: InboundParts,
  chat: Chat,
  handle: string,
): Promise<IncidentNotice | null> {
  try {
    const incidentId = handleIn(parts, chat, handle)?.incidentId;
    return incidentId === undefined
      ? null
      : await noticeOf(parts, { chat, person: null, incidentId });
  } catch (error) {
    parts.failed(error);
    return null;
  }
}

const handleIn = ({ secrets: { digest } }: InboundParts, { organizationId }: Chat, text: string) =>
  readRunHandle(organizationId, text, digest) ?? readHandle(organizationId, text, digest);

/** For whoever sees a message already: nothing is done, so they need no account. */
async function refresh(
  parts: InboundParts,
  { organizationId, channel }: Source & { readonly channel: ReplyChannel },
  handle: string,
): Promise<Reply> {
  const shown = await shownBy(parts, { organizationId, channel, address: '' }, handle);
  return shown === null ? null : { text: '', shown };
}

type Team = Extract<Inbound, { readonly type: 'joined' | 'left' }>;

async function noteTeam(
  { sql, clock }: InboundParts,
  { organizationId, connection: { id: connectionId } }: Source & { connection: SourceConnection },
  inbound: Team,
): Promise<Reply> {
  const of = { organizationId, connectionId };
  const now = clock.now();
  if (inbound.type === 'left') {
    await removeChatTeam(sql, of, { teamId: inbound.teamId, now });
    return null;
  }
  const { team, isGreeted, isChanged } = inbound;
  await addChatTeam(sql, of, { team, isChanged, now });
  return isGreeted ? replyOf(greeting) : null;
}

const greeting =
  'Pager can now post incidents to the channels of this team. Choose a channel in an escalation policy. To see the commands, mention Pager and write help.';

async function pressOne(
  parts: InboundParts,
  chat: Chat,
  pressed: Omit<Press, 'isShown'>,
): Promise<Reply> {
  const { connectionId } = pressed;
  const { digest } = parts.secrets;
  const tested = readGotIt(chat.organizationId, pressed.handle, digest);
  if (tested !== null) return gotIt(parts, chat, tested);
  const handle = handleIn(parts, chat, pressed.handle);
  if (handle === null) return notOurs(chat);
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
  const message =
    connectionId === null || !pressed.message ? null : { connectionId, ...pressed.message };
  if (action === 'webhook' || action === 'playbook') {
    await noteAnswered(parts, chat, person);
    const configuration = await configurationOf(parts, chat);
    return listRunnables(parts, chat, {
      person,
      configuration,
      what: action,
      incidentId,
      ...(message && { message }),
    });
  }
  const reasonAgainst = (incident: Incident) =>
    action === 'escalate' && hasEscalated(at, incident)
      ? 'it was escalated after this message'
      : null;
  const { reply } = await perform(parts, chat, {
    person,
    action,
    incidentId,
    reasonAgainst,
    ...(message && { message }),
  });
  return reply;
}

async function gotIt(
  { sql, clock }: InboundParts,
  chat: Chat,
  { id }: TestedContact,
): Promise<Reply> {
  const { organizationId, address, account, writtenAt = clock.now() } = chat;
  if (account !== undefined) return notOurs(chat);
  const { answer } = phrasesOf(chat);
  const isUsed = await recordProof(sql, { organizationId, id, at: address }, writtenAt);
  return replyOf(isUsed ? answer.gotIt : answer.gotItTooLate);
}
