// Keys that somebody presses in a call: each acts on the incident that was read out last, in the name of
// whoever was called. Then the next one that they were paged for is read out.
import type { ActionResult } from '../engine/actions.ts';
import type { Incident } from '../incidents/incident.ts';
import { whyRefused } from '../incidents/refused-attempt.ts';
import { sendingLimits } from '../limits/sending.ts';
import { english } from '../notices/words/en.ts';
import { phrasesOf } from '../notices/words/of-notice.ts';
import { languageOn, type ReplyChannel } from '../resources/channels.ts';
import type { Language } from '../resources/language.ts';
import { actedOnBy } from '../storage/connections/replies.ts';
import type { Sql } from '../storage/database/database.ts';
import {
  findAddress,
  findPage,
  type PagedNotice,
  unansweredPages,
} from '../storage/incidents/paged.ts';
import { findPerson } from '../storage/incidents/story.ts';
import { recordAnswered } from '../storage/outbox/heard-pages.ts';
import type { ContactPerson } from '../storage/people/contacts.ts';
import { languageOf } from '../storage/people/languages.ts';
import { activePerson } from '../storage/people/sign-ins.ts';
import { type ReadOut, readOutHandle } from './attempt-handles.ts';
import type { Chat, InboundParts } from './chat.ts';
import { hasEscalated, type Position } from './handles.ts';
import type { Inbound, Reply, SourceConnection } from './inbound.ts';
import { allowed, type Known } from './known-person.ts';
import { noteAnswered, noticeOf, perform } from './perform.ts';
import { refuse } from './refused-actions.ts';
import { keepTelephone, recordKey } from './vendor-receipts.ts';
import { keys, type Verb } from './verbs.ts';

const REPEAT = '*';

type Pressed = {
  readonly connection: SourceConnection;
  readonly readOut: ReadOut;
  readonly channel: ReplyChannel;
  readonly inbound: Extract<Inbound, { readonly type: 'key' }>;
};

/** The telephone is called by nothing else until the call has ended. */
export async function pressKey(parts: InboundParts, pressed: Pressed): Promise<NonNullable<Reply>> {
  const { call, key } = pressed.readOut;
  const { organization_id } = call;
  const page = await findPage(parts.sql, { organization_id, key });
  if (page === null) return { text: english.answer.pageIsGone };
  const { userId } = page;
  const language = languageOn(
    pressed.channel,
    await languageOf(parts.sql, { organizationId: organization_id, userId }),
  );
  // Until the reply: if a kill keeps it away, the vendor ends the call.
  await keepTelephone(parts, call, sendingLimits.keyAnswer);
  const reply = await replyTo(parts, { ...pressed, page, language });
  const { answeredCall, pressedCall } = sendingLimits;
  await keepTelephone(parts, call, reply.notice === undefined ? pressedCall : answeredCall);
  return { ...reply, language };
}

type Answering = Pressed & { readonly page: PagedNotice; readonly language: Language };

async function replyTo(parts: InboundParts, answering: Answering): Promise<NonNullable<Reply>> {
  const { connection, channel, page, inbound } = answering;
  const { incidentId } = page;
  const { at } = answering.readOut;
  const { organization_id: organizationId } = answering.readOut.call;
  const { id: connectionId } = connection;
  const action = keys.get(inbound.key);
  // Of one incident in one call, however often and in which order it is delivered; another once the
  // incident was read out again because it had escalated.
  const readAt = at === null ? '' : ` ${at.cycle}.${at.nextStep}`;
  const eventId = `${eventsOf(inbound)}${incidentId} ${inbound.key}${readAt}`;
  const reply = { organizationId, connectionId, eventId };
  const address = await numberOf(parts, answering);
  const { language } = answering;
  const chat = { organizationId, channel, address, reply, language } as const;
  const known = await calledPerson(parts.sql, chat, page.userId);
  if (!('person' in known)) {
    const on = action ? { action, incidentId } : null;
    return (await refuse(parts, chat, { known, on })) ?? { text: '' };
  }
  const { person } = known;
  if (action === undefined) {
    await noteAnswered(parts, chat, person);
    const notice = await noticeOf(parts, { chat, person, incidentId });
    return {
      text: inbound.key === REPEAT ? '' : phrasesOf(chat).answer.keyHasNoEffect,
      ...(notice && { notice }),
    };
  }
  const { reply: answer, acted } = await perform(parts, chat, {
    person,
    action,
    incidentId,
    reasonAgainst: (incident) => escalatedSince(action, at, incident),
  });
  const { text } = answer;
  if (isRefused(acted))
    return { text, ...(await readAgain(parts, chat, { ...answering, person, ...acted })) };
  if (isAnswer(acted)) await recordAnswer(parts, answering);
  return { text, ...(await nextOf(parts, chat, { ...answering, person })) };
}

type Refused = Extract<ActionResult, { readonly result: 'unchanged' }>;

/** It still asks for somebody, and they may press another key. */
const isRefused = (acted: ActionResult): acted is Refused =>
  acted.result === 'unchanged' && acted.incident.status === 'triggered';

/** What could not be read may still need them. */
const isAnswer = ({ result }: ActionResult): boolean => result === 'done' || result === 'unchanged';

/** That was called; empty: it is not known any more, or cannot be read, and a key acts all the same. */
async function numberOf(
  { sql, failed }: InboundParts,
  { readOut: { call } }: Answering,
): Promise<string> {
  try {
    return (await findAddress(sql, call)) ?? '';
  } catch (error) {
    failed(error);
    return '';
  }
}

const eventsOf = ({ vendorId }: Pressed['inbound']): string => `${vendorId} `;

type Called = Exclude<Known, { readonly stranger: unknown }>;

async function calledPerson(sql: Sql, chat: Chat, id: string): Promise<Called> {
  const { organizationId } = chat;
  const phrases = phrasesOf(chat);
  const person = await activePerson(sql, id);
  if (person !== null) return allowed(person, { phrases });
  const named = await findPerson(sql, organizationId, id);
  const who = named && { person: named, why: whyRefused(null) };
  return { refused: phrases.answer.inactive, ...(who && { who }) };
}

function escalatedSince(action: Verb, at: Position | null, incident: Incident): string | null {
  if (action !== 'escalate') return null;
  return at === null || hasEscalated(at, incident) ? 'it was escalated after this call' : null;
}

async function recordAnswer(
  parts: InboundParts,
  { connection, readOut: { call, key }, inbound: { vendorId } }: Answering,
): Promise<void> {
  if (key === call.key) await recordKey(parts, { connection, attempt: call, vendorId });
  const by = { connectionId: connection.id, connectionName: connection.name, vendorId };
  const { organization_id } = call;
  try {
    await recordAnswered(parts, { organization_id, key, by, now: parts.clock.now() });
  } catch (error) {
    // The key has acted: what is not recorded is called once more.
    parts.failed(error);
  }
}

type Reading = Answering & { readonly person: ContactPerson };
type Next = Pick<NonNullable<Reply>, 'notice' | 'handle'>;

/** As the incident is now, with keys that act on that. */
async function readAgain(
  parts: InboundParts,
  chat: Chat,
  { readOut: { call, key }, person, incident }: Reading & Pick<Refused, 'incident'>,
): Promise<Next> {
  const notice = await noticeOf(parts, { chat, person, incidentId: incident.id });
  if (notice?.incident.status !== 'triggered') return {};
  const handle = readOutHandle({ call, key, at: incident.escalation }, parts.secrets.digest);
  return { notice, handle };
}

/** Some may be unreadable, and are passed over. */
const PAGES_READ = 50;

/** What was done is done, whether or not there is a next one. */
async function nextOf(
  parts: InboundParts,
  chat: Chat,
  { connection, readOut: { call }, inbound, page, person }: Reading,
): Promise<Next> {
  const { sql, secrets } = parts;
  const { organization_id: organizationId } = call;
  const { id: connectionId } = connection;
  try {
    const start = eventsOf(inbound);
    const acted = await actedOnBy(sql, { organizationId, connectionId, start });
    if (acted.length >= sendingLimits.callIncidents) return {};
    const pages = await unansweredPages(
      sql,
      {
        organizationId,
        userId: person.id,
        channel: chat.channel,
        except: [...acted, page.incidentId],
      },
      PAGES_READ,
    );
    for (const { key, incidentId, at } of pages) {
      const notice = await noticeOf(parts, { chat, person, incidentId });
      // Somebody may have answered it just now.
      if (notice?.incident.status === 'triggered')
        return { notice, handle: readOutHandle({ call, key, at }, secrets.digest) };
    }
  } catch (error) {
    parts.failed(error);
  }
  return {};
}
