// What people write in the thread of a page. Its incident is the one that they mean.
import { actedBefore } from '../storage/connections/replies.ts';
import { incidentOfPosted } from '../storage/message-updates/posted-messages.ts';
import { personOfAccount } from '../storage/people/chat-accounts.ts';
import { type Chat, type InboundParts, replyOf } from './chat.ts';
import type { PressedMessage, Reply } from './inbound.ts';
import { incidentNamed } from './incident-named.ts';
import { accountOf, knownPerson } from './known-person.ts';
import { refuse } from './refused-actions.ts';
import { doWritten, requestIn } from './written-request.ts';

/** The thread of a message about an incident. */
export type Thread = { readonly incidentId: string; readonly message: PressedMessage };

/** Null: Pager wrote nothing about an incident there. */
export async function threadBelow(
  { sql }: Pick<InboundParts, 'sql'>,
  { organizationId }: Pick<Chat, 'organizationId'>,
  message: PressedMessage,
): Promise<Thread | null> {
  const incidentId = await incidentOfPosted(sql, organizationId, message);
  return incidentId === null ? null : { incidentId, message };
}

type Written = {
  readonly text: string;
  readonly thread: Thread;
  readonly isLate?: boolean;
  /** They wrote it to Pager, and not only to each other. */
  readonly isAddressed: boolean;
};

export async function answerInThread(
  parts: InboundParts,
  chat: Chat,
  { text, thread: { incidentId, message }, isLate = false, isAddressed }: Written,
): Promise<Reply> {
  const request = requestIn(text);
  const { action } = request;
  const isTalk = action === 'note' && !isAddressed;
  if (isTalk && (await isIgnored(parts, chat))) return null;
  const known = await knownPerson(parts, chat);
  if (!('person' in known)) {
    // Whoever only talks there has tried nothing.
    const on = isTalk ? null : { action, incidentId };
    return isTalk && 'refused' in known && !takeTalk(parts, chat)
      ? null
      : refuse(parts, chat, { known, on });
  }
  const { person } = known;
  const incident = await incidentNamed(parts.sql, chat.organizationId, { id: incidentId });
  if (typeof incident === 'string') return replyOf(incident);
  const before = chat.reply ? await actedBefore(parts.sql, chat.reply) : null;
  if (before === null && action === 'note' && parts.chatNotes.take(person.id) > 0)
    return replyOf('Your note was not added: you have added too many. Add it in Pager.');
  if (before === null && action !== 'note' && isLate) return replyOf(tooLate);
  const { reply, isDone } = await doWritten(parts, chat, { person, incident, request, message });
  // The thread shows what was done.
  return isDone && !isAddressed ? null : reply;
}

const tooLate =
  'Nothing was changed: your message arrived too late. Check the incident, and write it again.';

/** Strangers who talk to each other are told how to link their account, and then left alone for a while. */
const isIgnored = async (parts: InboundParts, chat: Chat): Promise<boolean> =>
  chat.account !== undefined &&
  (await personOfAccount(parts.sql, accountOf(chat, chat.account))) === null &&
  !takeTalk(parts, chat);

const takeTalk = (
  { strangers: { talk } }: InboundParts,
  { organizationId, channel, address }: Chat,
): boolean => talk.take(`${organizationId} ${channel} ${address}`) === 0;
