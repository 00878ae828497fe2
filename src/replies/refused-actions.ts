// Notes on an incident who tried to act on it there and may not.
import { noteRefused } from '../engine/refused-attempts.ts';
import type { Unentitled } from '../incidents/refused-attempt.ts';
import type { Sql } from '../storage/database/database.ts';
import { type Chat, type InboundParts, replyOf, toStranger } from './chat.ts';
import type { Handle } from './handles.ts';
import type { Reply } from './inbound.ts';
import { incidentNamed } from './incident-named.ts';
import type { Known } from './known-person.ts';

type Deed = Handle['action'] | 'note';

type Refused = {
  readonly action: Deed;
  readonly incidentId: string;
  readonly who: Unentitled;
  /** It was named by its number, as anybody can: strangers leave it as it is once it is over. */
  readonly isByNumber?: boolean;
};

const deeds: Readonly<Record<Deed, string>> = {
  acknowledge: 'acknowledge',
  unacknowledge: 'unacknowledge',
  resolve: 'resolve',
  escalate: 'escalate',
  webhook: 'call a webhook',
  playbook: 'run a playbook',
  note: 'add a note',
};

/** They are answered, whether or not it can be noted. */
async function noteOn(
  parts: InboundParts,
  { organizationId, channel: via }: Pick<Chat, 'organizationId' | 'channel'>,
  { action, incidentId: id, who, isByNumber = false }: Refused,
): Promise<void> {
  const mustBeOpen = isByNumber && 'account' in who;
  try {
    await noteRefused(parts, { organizationId, id, mustBeOpen }, { deed: deeds[action], via, who });
  } catch (error) {
    parts.failed(error);
  }
}

type Refusing = {
  readonly known: Exclude<Known, { readonly person: unknown }>;
  /** Null: no incident was named. */
  readonly on: Omit<Refused, 'who'> | null;
};

/** Strangers who are not answered any more are not noted either. */
export async function refuse(
  parts: InboundParts,
  chat: Chat,
  { known, on }: Refusing,
): Promise<Reply> {
  const reply =
    'refused' in known ? replyOf(known.refused) : toStranger(parts, chat, known.stranger);
  const { who } = known;
  if (reply !== null && on !== null && who) await noteOn(parts, chat, { ...on, who });
  return reply;
}

/** Of an incident that can be read; null: there is none. */
export async function idOfNumber(
  sql: Sql,
  organizationId: string,
  number: number,
): Promise<string | null> {
  const incident = await incidentNamed(sql, organizationId, { number });
  return typeof incident === 'string' ? null : incident.id;
}
