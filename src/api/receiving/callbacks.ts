// What vendors report of pages, and what people answer to them by a key or a text.
import type { AttemptKey } from '../../engine/ledger.ts';
import { noWake } from '../../engine/ledger.ts';
import type { CallbackInbound, CallbackReply } from '../../engine/receiving/callback.ts';
import type { Incident } from '../../incidents/incident.ts';
import { type Unentitled, whyRefused } from '../../incidents/refused-attempt.ts';
import type { OpenConnection } from '../../storage/connections/connections.ts';
import type { Sql } from '../../storage/database.ts';
import { findPage, noticeCreatedAt, type PagedNotice } from '../../storage/incidents/paged.ts';
import { findPerson } from '../../storage/incidents/story.ts';
import { loseContact } from '../../storage/people/lost-contacts.ts';
import { activePerson } from '../../storage/people/sign-ins.ts';
import type { Received } from '../callbacks/routes.ts';
import { readAttemptHandle } from './attempt-handles.ts';
import type { ReceiveParts } from './chat.ts';
import type { HandleAction } from './handles.ts';
import { allowed } from './known-person.ts';
import { noticeOf, perform } from './perform.ts';
import { receive } from './receive.ts';
import { noteOn } from './refused.ts';

/** Does what a callback says. Null: nobody is to be answered. */
export async function receiveCallback(
  parts: ReceiveParts,
  { connection, channel, handle, inbound }: Received,
): Promise<CallbackReply | null> {
  const attempt = handle === null ? null : readAttemptHandle(handle, parts.secrets.digest);
  const own = attempt?.organization_id === connection.organization_id ? attempt : null;
  switch (inbound.type) {
    case 'receipt':
      if (own !== null) {
        await lose(parts, { connection, channel, attempt: own, inbound });
        await report(parts, { connection, attempt: own, inbound });
      }
      return null;
    case 'key':
      return own === null
        ? { text: 'This call is not known.' }
        : pressKey(parts, { connection, channel, attempt: own, inbound });
    case 'ignored':
      return null;
    default: {
      if (channel !== 'sms') return null;
      const { organization_id: organizationId, id: connectionId } = connection;
      const source = { organizationId, connectionId, channel } as const;
      const reply = await receive(parts, source, inbound);
      return reply && { text: reply.text };
    }
  }
}

type Inbound<T extends CallbackInbound['type']> = Extract<CallbackInbound, { readonly type: T }>;

type Losing = {
  readonly connection: Pick<OpenConnection, 'organization_id'>;
  readonly channel: string;
  readonly attempt: AttemptKey;
  readonly inbound: Inbound<'receipt'>;
};

/** As the refusal of a request to send does, unless the contact was proved anew since the notice. */
async function lose(
  parts: ReceiveParts,
  { connection, channel, attempt, inbound: { lost, receipt } }: Losing,
): Promise<void> {
  if (lost === undefined) return;
  const { address, state } = lost;
  const contact = { organizationId: connection.organization_id, channel, address };
  const provedBy = await noticeCreatedAt(parts.sql, attempt);
  if (provedBy === null) return;
  const at = { ...contact, provedBy, now: parts.clock.now() };
  await loseContact(parts, at, { state, reason: receipt.reason });
}

type Reported = {
  readonly connection: Pick<OpenConnection, 'id' | 'name'>;
  readonly attempt: AttemptKey;
  readonly inbound: Inbound<'receipt'>;
};

async function report(
  { ledger, clock, committed }: ReceiveParts,
  { connection, attempt, inbound: { vendorId, receipt, call } }: Reported,
): Promise<void> {
  const reportedBy = { connectionId: connection.id, connectionName: connection.name, vendorId };
  const isDue = await ledger.transact((tx) =>
    tx.recordReceipt({ ...attempt, reportedBy, receipt, ...(call && { call }) }, clock.now()),
  );
  if (isDue) committed({ ...noWake, notices: true });
}

/** As they are read out. */
const keys: Readonly<Record<string, HandleAction | 'repeat'>> = {
  ...{ '4': 'acknowledge', '6': 'resolve', '9': 'escalate', '*': 'repeat' },
};

type Pressed = {
  readonly connection: OpenConnection;
  readonly channel: string;
  readonly attempt: AttemptKey;
  readonly inbound: Inbound<'key'>;
};

/** It acts on the incident of this call, in the name of whoever was called. */
async function pressKey(parts: ReceiveParts, pressed: Pressed): Promise<CallbackReply> {
  const { sql } = parts;
  const { connection, attempt, inbound } = pressed;
  const page = await findPage(sql, attempt);
  const person = page && (await activePerson(sql, page.userId));
  const organizationId = connection.organization_id;
  const keyed = keys[inbound.key];
  const known = person && allowed(person);
  const mayAct = known !== null && 'person' in known;
  if (page && !mayAct && keyed !== undefined && keyed !== 'repeat') {
    const who = known?.who ?? (await inactive(sql, organizationId, page.userId));
    const on = { action: keyed, incidentId: page.incidentId };
    if (who) await noteOn(parts, { organizationId, channel: 'phone' }, { ...on, who });
  }
  if (!page || !person) return { text: 'This page is not known any more.' };
  const chosen = mayAct ? keyed : undefined;
  const eventId = `${inbound.vendorId} ${inbound.key}`;
  const reply = { organizationId, connectionId: connection.id, eventId };
  const chat = { organizationId, channel: 'phone', address: '', reply } as const;
  if (chosen === undefined || chosen === 'repeat') {
    const notice = await noticeOf(parts, { chat, person, incidentId: page.incidentId });
    const text = chosen === undefined ? 'This key does nothing.' : '';
    return { text, ...(notice && { notice }) };
  }
  const done = await perform(parts, chat, {
    ...{ person, action: chosen, incidentId: page.incidentId },
    reasonAgainst: (incident) => escalatedSince(chosen, page, incident),
  });
  await report(parts, {
    ...{ connection, attempt },
    inbound: { ...inbound, type: 'receipt', receipt: pressedReceipt },
  });
  return { text: done?.text ?? '' };
}

async function inactive(sql: Sql, organizationId: string, id: string): Promise<Unentitled | null> {
  const person = await findPerson(sql, organizationId, id);
  return person && { person, why: whyRefused(null) };
}

const pressedReceipt = { state: 'acted', reason: '', blame: null } as const;

/** A key escalates no further than what was read out. */
function escalatedSince(
  action: HandleAction,
  { cycle, step }: PagedNotice,
  { escalation }: Incident,
): string | null {
  const isSame = escalation.cycle === cycle && escalation.nextStep === step + 1;
  return action === 'escalate' && !isSame ? 'it was escalated since this call' : null;
}
