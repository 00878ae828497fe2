// What people do at a vendor: they link a chat, press a button, write. Each ends in the same functions
// as the API, and the answer says what really happened.
import { act } from '../../engine/actions.ts';
import type { Clock } from '../../engine/clock.ts';
import type { Ids } from '../../engine/ids.ts';
import type { Ledger, Wake } from '../../engine/ledger.ts';
import type { Edit, Inbound, Reply } from '../../engine/receiving/inbound.ts';
import { type Command, readCommand } from '../../engine/receiving/verbs.ts';
import { compose } from '../../engine/sending/compose.ts';
import { Unreadable } from '../../engine/unreadable.ts';
import type { Actor, Incident } from '../../incidents/incident.ts';
import { accessLimits } from '../../limits/access.ts';
import { personName } from '../../resources/person-name.ts';
import { incidentRole, mayAct, type Role } from '../../resources/roles.ts';
import { listConnections } from '../../storage/connections/connections.ts';
import type { Sql } from '../../storage/database.ts';
import { findIncident } from '../../storage/incidents/incidents.ts';
import { surroundingsOf } from '../../storage/incidents/surroundings.ts';
import {
  type ContactPerson,
  linkChat,
  loseChat,
  peopleByContact,
  restoreChat,
} from '../../storage/people/contacts.ts';
import { sealedOrganization } from '../../storage/people/organization.ts';
import type { Secrets } from '../../storage/secrets.ts';
import { linkCodeDigest } from '../people/link-codes.ts';
import type { Limiter } from '../sign-in/limiter.ts';
import { type HandleAction, handleText, readHandle } from './handles.ts';

export type ReceiveParts = {
  readonly sql: Sql;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly ledger: Ledger;
  readonly publicUrl: string;
  readonly committed: (wake: Wake) => void;
  /** How often those who are unknown are answered. */
  readonly strangers: Limiter;
  /** Something that is not essential could not be done. */
  readonly failed: (error: unknown) => void;
};

/** Where it came from. */
export type Source = {
  readonly organizationId: string;
  readonly channel: 'telegram';
  readonly connectionId: string;
};

const replyOf = (text: string): Reply => ({ text });

/** Does what somebody asks for, and answers what came of it. */
export async function receive(
  parts: ReceiveParts,
  source: Source,
  inbound: Inbound,
): Promise<Reply> {
  const { address } = inbound;
  const { organizationId, channel, connectionId } = source;
  const chat = { organizationId, channel, address };
  const at = { ids: parts.ids, now: parts.clock.now() };
  switch (inbound.type) {
    case 'start':
      return link(parts, chat, inbound.code);
    case 'press':
      return press(parts, chat, inbound.handle);
    case 'text':
      return command(parts, chat, inbound.text);
    case 'blocked':
      // Another account of the organisation may still reach them there.
      if (!(await hasOther(parts.sql, organizationId, { channel, connectionId })))
        await loseChat(parts.sql, { ...chat, ...at }, blocked);
      return null;
    case 'restored':
      await restoreChat(parts.sql, { ...chat, ...at });
      return null;
  }
}

const blocked = { state: 'blocked', reason: 'The person has blocked the bot.' } as const;

type OneOf = { readonly channel: string; readonly connectionId: string };

async function hasOther(sql: Sql, organizationId: string, { channel, connectionId }: OneOf) {
  const connections = await listConnections(sql, { organizationId, archived: false });
  return connections.some(
    ({ id, enabled, channels }) => id !== connectionId && enabled && channels.includes(channel),
  );
}

type Chat = Omit<Source, 'connectionId'> & { readonly address: string };

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
      'This code is not valid, or has expired. Make another one in Pager, under Me.',
    );
  if (linked === 'full')
    return replyOf(`You have ${accessLimits.contacts} contacts, and can have no more. Remove one.`);
  const { name } = await sealedOrganization(sql, chat.organizationId);
  return replyOf(`Pages for ${nameOf(linked)} (${name}) arrive here now.`);
}

/** Anybody can write to a bot: its answers must not cost those who are paged by it theirs. */
const toStranger = ({ strangers }: ReceiveParts, chat: Chat, text: string): Reply =>
  strangers.take(chat.organizationId) === 0 ? replyOf(text) : null;

const unknownChat =
  'Nobody has linked this chat. To be paged here, open Pager, go to Me, and link it.';
const notOurs = 'This button is not valid any more. Open the incident in Pager.';

async function press(parts: ReceiveParts, chat: Chat, text: string): Promise<Reply> {
  const { sql, secrets } = parts;
  const handle = readHandle(chat.organizationId, text, secrets.digest);
  if (handle === null) return replyOf(notOurs);
  const person = await personOf(sql, chat);
  if (typeof person === 'string') return replyOf(person);
  const { action, incidentId, at } = handle;
  const reasonAgainst = ({ escalation }: Incident) =>
    action === 'escalate' && (escalation.cycle !== at.cycle || escalation.nextStep !== at.nextStep)
      ? 'it was escalated since this message'
      : null;
  return perform(parts, chat, { person, action, incidentId, reasonAgainst });
}

async function command(parts: ReceiveParts, chat: Chat, text: string): Promise<Reply> {
  const { sql } = parts;
  const person = await personOf(sql, chat);
  if (typeof person === 'string') return toStranger(parts, chat, person);
  const read = readCommand(text);
  if (read === null || read.number === null) return replyOf(helpOf(read));
  const scope = { organizationId: chat.organizationId, teamIds: null };
  const incident = await findIncident(sql, scope, { counter: read.number }).catch(unreadable);
  if (incident === null) return replyOf(`There is no INC-${read.number}.`);
  if (incident === 'unreadable') return replyOf(notReadable);
  return perform(parts, chat, { person, action: read.action, incidentId: incident.id });
}

const helpOf = (read: Command | null) =>
  read === null
    ? 'Send: ack 42, resolve 42 or escalate 42, with the number of the incident.'
    : `Which incident? Send: ${read.action} and its number, such as ${read.action} 42.`;

/** The person who may act there, or why there is none. */
async function personOf(sql: Sql, chat: Chat): Promise<ContactPerson | string> {
  const [person, other] = await peopleByContact(sql, chat);
  if (person === undefined) return unknownChat;
  if (other !== undefined) return 'Several people share this chat. Act in Pager instead.';
  // The reader has held the role to those there are.
  if (!mayAct({ role: person.role as Role }, incidentRole))
    return `As a ${person.role} you may not act on incidents.`;
  return person;
}

type Request = {
  readonly person: ContactPerson;
  readonly action: HandleAction;
  readonly incidentId: string;
  readonly reasonAgainst?: (incident: Incident) => string | null;
};

const done = { acknowledge: 'Acknowledged', resolve: 'Resolved', escalate: 'Escalated' } as const;

async function perform(parts: ReceiveParts, chat: Chat, request: Request): Promise<Reply> {
  const { person, action, incidentId } = request;
  const by: Actor = { type: 'user', id: person.id, name: nameOf(person), via: chat.channel };
  const reasonAgainst = (incident: Incident) =>
    doneBefore(action, incident) ?? request.reasonAgainst?.(incident) ?? null;
  const acted = await act(
    parts,
    { organizationId: chat.organizationId, id: incidentId },
    { action: { type: action, by }, mayTouch: () => true, reasonAgainst },
  );
  if (acted.result === 'done') {
    const { incident } = acted;
    const taken = { action: done[action], by: by.name, at: parts.clock.now() };
    const text = `${done[action]}: INC-${incident.number}.`;
    return { text, ...(await editOf(parts, { chat, person, incident, taken })) };
  }
  const scope = { organizationId: chat.organizationId, teamIds: null };
  const incident = await findIncident(parts.sql, scope, { id: incidentId }).catch(unreadable);
  if (incident === 'unreadable') return replyOf(notReadable);
  if (acted.result === 'not_found' || incident === null)
    return replyOf('There is no such incident any more.');
  const text = `Nothing was changed: ${acted.reason}${await byOther(parts.sql, incident)}.`;
  return { text, ...(await editOf(parts, { chat, person, incident })) };
}

/** Whoever comes second has not done it, and is told who has. */
function doneBefore(action: HandleAction, { number, status }: Incident): string | null {
  if (action === 'acknowledge' && status === 'acknowledged')
    return `INC-${number} is acknowledged already`;
  return action === 'resolve' && status === 'resolved' ? `INC-${number} is resolved already` : null;
}

async function byOther(sql: Sql, incident: Incident): Promise<string> {
  const { acknowledged_by, resolved_by } = await surroundingsOf(sql, incident, null);
  const name = incident.status === 'resolved' ? resolved_by : acknowledged_by;
  return name === null ? '' : `, by ${name}`;
}

const notReadable = 'The incident cannot be read. Open Pager to see why.';

function unreadable(error: unknown): 'unreadable' {
  if (error instanceof Unreadable) return 'unreadable';
  throw error;
}

const nameOf = (person: ContactPerson) => personName(person) || person.email;

type EditRequest = Pick<Edit, 'taken'> & {
  readonly chat: Chat;
  readonly person: ContactPerson;
  readonly incident: Incident;
};

/** The message as it is to be read now. What was done is done, whether or not it can be shown. */
async function editOf(
  parts: ReceiveParts,
  request: EditRequest,
): Promise<{ readonly edit?: Edit }> {
  try {
    return { edit: await composeEdit(parts, request) };
  } catch (error) {
    parts.failed(error);
    return {};
  }
}

async function composeEdit(
  { sql, clock, secrets, publicUrl }: ReceiveParts,
  { chat, person, incident, taken }: EditRequest,
): Promise<Edit> {
  const [{ service, timezone }, organization] = await Promise.all([
    surroundingsOf(sql, incident, person.id),
    sealedOrganization(sql, chat.organizationId),
  ]);
  const notice = compose(
    {
      ...{ about: 'incident', kind: 'page', channel: chat.channel, address: chat.address },
      ...{ organization_id: organization.id, organizationName: organization.name },
      ...{ key: incident.id, recipient_key: '', recipient: nameOf(person), mention: null, why: '' },
      ...{ user_id: person.id, attempt: 1, created_at: clock.now(), cycle: 0, step: 0 },
      // The reader has held the role to those there are.
      ...{ incident, serviceName: service, role: person.role as Role, timezone },
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
