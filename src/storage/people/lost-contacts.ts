// Contacts at which nothing arrives any more, as their vendor says, and those that come back.
import type { Ids } from '../../engine/ids.ts';
import { deviceChannel, needsMailServer } from '../../resources/channels.ts';
import type { contactStates } from '../../resources/contact-states.ts';
import { type Queries, type Sql, type Transaction, transact } from '../database/database.ts';
import type { LedgerParts } from '../ledger/context.ts';
import { type Act, audit } from '../organizations/audit.ts';
import { notifyOfLostContact } from '../outbox/lost-contacts.ts';
import { auditedContact } from './audited.ts';
import { isSecondStrike } from './contact-strikes.ts';
import type { Contact, ContactAddress } from './contacts.ts';

/** Why nothing reaches a contact any more. */
export type Loss = {
  readonly state: (typeof contactStates)[number];
  readonly reason: string;
};

/**
 * One contact, or an address: of everybody who has it as a contact, proved by that time. `writtenAt`: what its person
 * wrote then changes nothing once they have used it again.
 */
export type LostAt =
  | (ContactAddress & {
      readonly provedBy?: Temporal.Instant;
      readonly writtenAt?: Temporal.Instant;
    })
  | { readonly organizationId: string; readonly id: string };

type OwnContact = Marked['contact'] & {
  readonly user_id: string;
  readonly verified_at: Temporal.Instant | null;
  readonly isLast: boolean;
};

/**
 * It counts as verified no more; its owner sees why, and is notified by other ways. A number that is
 * reported as invalid is lost the second time.
 */
export function loseContact(
  { sql, ...parts }: LedgerParts,
  at: LostAt & { readonly now: Temporal.Instant },
  loss: Loss,
): Promise<void> {
  const { ids } = parts;
  const { organizationId, now } = at;
  return transact(sql, async (tx) => {
    // Whoever hears of it at the same time waits here, and then finds nothing.
    const rows = await tx<OwnContact[]>`
      select id, channel, address, verified_at, user_id, not exists (
          select from contacts o
          where o.organization_id = c.organization_id and o.user_id = c.user_id
            and o.channel = c.channel and o.id <> c.id and o.verified_at is not null
        ) as "isLast"
      from contacts c
      where ${isLostAt(tx, at)} and state is null
      order by id for update of c`;
    for (const { user_id: userId, verified_at: provedAt, isLast, ...contact } of rows) {
      const { id, channel } = contact;
      const struck = { organizationId, id, channel, provedAt, now };
      if (loss.state === 'invalid' && !(await isSecondStrike(tx, struck))) continue;
      // First: what is read of the configuration must not hold changes of this transaction.
      const lost = { organizationId, userId, contact, isLast, state: loss.state };
      if (provedAt !== null) await notifyOfLostContact({ ...parts, sql: tx }, lost, now);
      // The last address of a person is tried all the same: mail servers reject by mistake, too.
      const isStillUsed = isLast && needsMailServer(channel) && provedAt !== null;
      const { writtenAt = now } = 'id' in at ? {} : at;
      const marked = { ids, now, since: writtenAt, organizationId, contact, isStillUsed };
      await markLost(tx, marked, loss);
    }
  });
}

const isLostAt = (sql: Queries, at: LostAt) =>
  'id' in at
    ? sql`organization_id = ${at.organizationId} and id = ${at.id}`
    : sql`${atAddress(sql, at)} and verified_at is not null
        ${at.provedBy ? sql`and verified_at <= ${at.provedBy}` : sql``}
        ${at.writtenAt ? isUnusedSince(sql, at.writtenAt) : sql``}`;

const isUnusedSince = (sql: Queries, at: Temporal.Instant) => sql`
  and verified_at <= ${at} and not exists (
    select from contact_proofs f
    where f.organization_id = c.organization_id and f.contact_id = c.id and f.proved_at > ${at})`;

type Marked = {
  readonly ids: Ids;
  readonly now: Temporal.Instant;
  readonly organizationId: string;
  readonly contact: Pick<Contact, 'id' | 'channel' | 'address'>;
  /** Absent: now. */
  readonly since?: Temporal.Instant;
  /** It is used as before, and shows why it may not work. */
  readonly isStillUsed?: boolean;
};

async function markLost(
  tx: Transaction,
  { ids, now, since = now, organizationId, contact, isStillUsed = false }: Marked,
  { state, reason }: Loss,
): Promise<void> {
  const { id } = contact;
  const changed = await tx`
    update contacts
    set verified_at = ${isStillUsed ? tx`verified_at` : null}, state = ${state},
      state_reason = ${reason}, state_at = ${since}
    where organization_id = ${organizationId} and id = ${id} and state is null`;
  if (changed.count === 0) return;
  const after = { ...contact, verified: isStillUsed, state, state_reason: reason };
  const entry = { ...auditedContact, action: 'update', id, before: contact, after } as const;
  await audit(tx, ids, { act: serverAct(organizationId, now), ...entry });
}

const serverAct = (organizationId: string, now: Temporal.Instant): Act => ({
  organizationId,
  teamIds: null,
  requestId: null,
  now,
  actor: { kind: 'server', id: organizationId, name: 'Pager' },
});

/** Of one person, or of all browsers there are. */
type Browsers = Pick<Marked, 'ids' | 'now'> & { readonly userId?: string };

/** All browsers that take pushes are gone, for this reason. Nobody is notified. */
export async function loseBrowsers(
  tx: Transaction,
  { ids, now, userId }: Browsers,
  reason: string,
): Promise<void> {
  const rows = await tx<(Marked['contact'] & { organizationId: string })[]>`
    select organization_id as "organizationId", id, channel, address from contacts
    where channel = ${deviceChannel} and subscription_encrypted is not null
      and verified_at is not null ${userId === undefined ? tx`` : tx`and user_id = ${userId}`}
    order by organization_id, id`;
  for (const { organizationId, ...contact } of rows)
    await markLost(tx, { ids, now, organizationId, contact }, { state: 'gone', reason });
}

type AddressChange = ContactAddress & {
  readonly ids: Ids;
  readonly now: Temporal.Instant;
  /** When its person wrote so, if that is known. */
  readonly writtenAt?: Temporal.Instant;
};

/** Whoever let nothing through lets it through again: those that were lost by this state, unless that was later. */
export const restoreContact = (
  sql: Sql,
  change: AddressChange,
  state: Loss['state'],
): Promise<void> => transact(sql, (tx) => restore(tx, change, state));

async function restore(
  tx: Transaction,
  { ids, now, writtenAt, ...at }: AddressChange,
  state: Loss['state'],
): Promise<void> {
  const rows = await tx<Marked['contact'][]>`
    update contacts
    set verified_at = ${writtenAt ?? now}, state = null, state_reason = null, state_at = null
    where ${atAddress(tx, at)} and state = ${state}
      ${writtenAt ? tx`and state_at <= ${writtenAt}` : tx``}
    returning id, channel, address`;
  for (const contact of rows) {
    const after = { ...contact, verified: true };
    const entry = { ...auditedContact, action: 'verify', id: contact.id, after } as const;
    await audit(tx, ids, { act: serverAct(at.organizationId, now), ...entry });
  }
}

/** Something was delivered there, so the vendor was wrong to call it invalid. */
export async function noteArrival(tx: Transaction, change: AddressChange): Promise<void> {
  await tx`
    delete from contact_strikes s using contacts c
    where s.organization_id = c.organization_id and s.contact_id = c.id
      and c.organization_id = ${change.organizationId} and c.channel = ${change.channel}
      and c.address = ${change.address}`;
  await restore(tx, change, 'invalid');
}

const atAddress = (sql: Queries, { organizationId, channel, address }: ContactAddress) => sql`
  organization_id = ${organizationId} and channel = ${channel} and address = ${address}`;
