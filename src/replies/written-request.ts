// What somebody writes in reply to a message about one incident: a verb in the first line acts on it, and
// everything else is a note.
import { act } from '../engine/actions.ts';
import type { Incident } from '../incidents/incident.ts';
import { english } from '../notices/words/en.ts';
import type { ContactPerson } from '../storage/people/contacts.ts';
import { type Chat, type InboundParts, replyOf } from './chat.ts';
import type { PressedMessage, Reply } from './inbound.ts';
import { actorOf, perform } from './perform.ts';
import { type Command, readText } from './verbs.ts';

export type WrittenRequest =
  | { readonly action: Command['action']; readonly number: number | null; readonly note: string }
  | {
      readonly action: 'note';
      readonly note: string;
      /** It contains a verb, but not for sure a request. */
      readonly isUnclear: boolean;
    };

/** The first line is a verb, and what follows below is a note. Otherwise, all of it is a note. */
export function requestIn(written: string): WrittenRequest {
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
  readonly person: ContactPerson;
  readonly incident: Incident;
  readonly request: WrittenRequest;
  readonly reasonAgainst?: (incident: Incident) => string | null;
  /** The one that they replied to, where it is kept up to date. */
  readonly message?: PressedMessage;
};

type Done = {
  readonly reply: NonNullable<Reply>;
  /** The timeline shows what they wanted. */
  readonly isDone: boolean;
};

const undone = (text: string): Done => ({ reply: replyOf(text), isDone: false });

export async function doWritten(
  parts: InboundParts,
  chat: Chat,
  { request, ...doing }: Doing,
): Promise<Done> {
  const { incident } = doing;
  const { number: own } = incident;
  if (request.action === 'note') return addNote(parts, chat, { ...doing, request });
  const { action, number, note } = request;
  if (number !== null && number !== own)
    return undone(
      `Nothing was changed: you wrote INC-${number}, but replied to the page about INC-${own}. Reply to the page about INC-${number} instead.`,
    );
  const performing = { ...doing, action, incidentId: incident.id, note };
  const { acted, reply } = await perform(parts, chat, performing);
  return { reply, isDone: acted.result === 'done' };
}

export const howToAct =
  'To act on the incident, write one word in the first line of your reply: acknowledge, resolve or escalate.';

type Noting = Pick<Doing, 'person' | 'incident'> & {
  readonly request: Extract<WrittenRequest, { readonly action: 'note' }>;
};

async function addNote(
  parts: InboundParts,
  chat: Chat,
  { person, incident: { id, number }, request: { note: text, isUnclear } }: Noting,
): Promise<Done> {
  const { organizationId, reply } = chat;
  const acted = await act(
    parts,
    { organizationId, id },
    {
      action: { type: 'note', by: actorOf(chat, person), text },
      mayTouch: () => true,
      ...(reply && { reply }),
    },
  );
  if (acted.result === 'not_found') return undone(english.answer.notThere);
  if (acted.result !== 'done') return undone(`Your note was not added: ${acted.reason}.`);
  return isUnclear
    ? undone(
        `Your reply was added to INC-${number} as a note, and nothing else was changed. ${howToAct}`,
      )
    : { reply: replyOf(`Added to INC-${number} as a note.`), isDone: true };
}
