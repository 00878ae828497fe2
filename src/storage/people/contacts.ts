import type { Ids } from '../../engine/ids.ts';
import { signInChannel } from '../../resources/channels.ts';
import { type ContactLoss, contactStates } from '../../resources/contact-states.ts';
import { personName } from '../../resources/person-name.ts';
import { type Queries, type Sql, transact } from '../database/database.ts';
import { type Act, audit } from '../organizations/audit.ts';
import { timeText } from '../records/rows.ts';
import { auditedContact } from './audited.ts';
import { recordProof } from './contact-proofs.ts';
import { isLinkCode, takeLinkCode } from './link-codes.ts';
import { countSend, type Quota } from './unproved-sends.ts';
import { lockOrganization } from './users.ts';

export type Contact = {
  readonly id: string;
  readonly channel: string;
  readonly address: string;
  readonly verified: boolean;
  /** Its place among the person's contacts on the channel, from 1. */
  readonly position: number;
  readonly label?: string;
  /** Why it is verified no more. */
  readonly state?: string;
  readonly state_reason?: string;
  readonly state_at?: string;
  /** When the person last answered through it. */
  readonly proved_at?: string;
  readonly created_at: string;
};

type ContactRow = {
  readonly id: string;
  readonly channel: string;
  readonly address: string;
  readonly verified_at: Temporal.Instant | null;
  readonly position: number;
  readonly label: string | null;
  readonly state: string | null;
  readonly state_reason: string | null;
  readonly state_at: Temporal.Instant | null;
  readonly proved_at: Temporal.Instant | null;
  readonly created_at: Temporal.Instant;
};

const contactOf = (row: ContactRow): Contact => ({
  id: row.id,
  channel: row.channel,
  address: row.address,
  verified: row.verified_at !== null,
  position: row.position,
  ...(row.label !== null && { label: row.label }),
  ...(row.state !== null && { state: row.state }),
  ...(row.state_reason !== null && { state_reason: row.state_reason }),
  ...(row.state_at !== null && { state_at: timeText(row.state_at) }),
  ...(row.proved_at !== null && { proved_at: timeText(row.proved_at) }),
  created_at: timeText(row.created_at),
});

const columns = (sql: Queries) => sql`
  c.id, channel, address, verified_at, label, state, state_reason, state_at, c.created_at, proved_at`;

const withProofs = (sql: Queries) => sql`
  left join contact_proofs p on p.organization_id = c.organization_id and p.contact_id = c.id`;

/** Whose contacts. */
export type Owner = { readonly organizationId: string; readonly userId: string };

/** Oldest first. */
export async function listContacts(sql: Queries, owner: Owner): Promise<readonly Contact[]> {
  const rows = await sql<ContactRow[]>`
    select ${columns(sql)},
      row_number() over (partition by channel order by ${inOrder(sql)})::integer as position
    from contacts c join users u on u.organization_id = c.organization_id and u.id = c.user_id
      ${withProofs(sql)}
    where c.organization_id = ${owner.organizationId} and c.user_id = ${owner.userId}
    order by c.id`;
  return rows.map(contactOf);
}

/**
 * Of several contacts `c` of a user `u` on one channel, that which is used first: where nobody has
 * put them in order, the e-mail that the person signs in with, then the oldest.
 */
export const inOrder = (sql: Queries) => sql`
  c.position nulls last, lower(c.address) <> lower(u.email), c.id`;

export type ContactOf = Pick<
  Contact,
  'channel' | 'address' | 'verified' | 'state' | 'state_reason' | 'proved_at'
> & { readonly user_id: string };

/** Of several people at once. */
export async function listContactsOf(
  sql: Queries,
  {
    organizationId,
    userIds,
  }: { readonly organizationId: string; readonly userIds: readonly string[] },
): Promise<readonly ContactOf[]> {
  const rows = await sql<(ContactRow & { readonly user_id: string })[]>`
    select ${columns(sql)}, 1 as position, user_id
    from contacts c ${withProofs(sql)}
    where c.organization_id = ${organizationId} and user_id = any(${[...userIds]})
    order by c.id`;
  return rows.map((row) => ({ ...contactOf(row), user_id: row.user_id }));
}

type VerifiedContact = Pick<Contact, 'channel' | 'address'> & { readonly user_id: string };

/** Of all who are active. */
export const listVerifiedContacts = (
  sql: Queries,
  organizationId: string,
): Promise<readonly VerifiedContact[]> => sql<VerifiedContact[]>`
  select c.user_id, c.channel, c.address
  from contacts c join users u on u.organization_id = c.organization_id and u.id = c.user_id
  where c.organization_id = ${organizationId} and c.verified_at is not null and u.active`;

type ContactCreation = {
  readonly act: Act;
  readonly ids: Ids;
  readonly userId: string;
  readonly contact: {
    readonly channel: string;
    readonly address: string;
    readonly label?: string;
  };
  readonly check: (others: readonly Contact[]) => void;
  /** Of a browser, its subscription: sealed, in the contact with this id. */
  readonly subscription?: (id: string) => string;
};

/** Not verified yet. */
export function createContact(sql: Sql, creation: ContactCreation): Promise<Contact> {
  const { act, ids, userId, contact } = creation;
  const owner = { organizationId: act.organizationId, userId };
  return transact(sql, async (tx) => {
    await lockOrganization(tx, act.organizationId);
    const others = await listContacts(tx, owner);
    creation.check(others);
    const id = ids.next();
    await tx`
      insert into contacts (organization_id, id, user_id, channel, address, label,
        subscription_encrypted, created_at)
      values (${act.organizationId}, ${id}, ${userId}, ${contact.channel}, ${contact.address},
        ${contact.label ?? null}, ${creation.subscription?.(id) ?? null}, ${act.now.toString()})`;
    const position = others.filter(({ channel }) => channel === contact.channel).length + 1;
    const after = { id, ...contact, verified: false, position, created_at: timeText(act.now) };
    await audit(tx, ids, { act, ...auditedContact, action: 'create', id, after });
    return after;
  });
}

type ContactChange = {
  readonly act: Act;
  readonly ids: Ids;
  readonly userId: string;
  readonly contact: Contact;
};

export function deleteContact(
  sql: Sql,
  { act, ids, userId, contact }: ContactChange,
): Promise<void> {
  return transact(sql, async (tx) => {
    const { id } = contact;
    await tx`
      delete from contacts
      where organization_id = ${act.organizationId} and user_id = ${userId} and id = ${id}`;
    await audit(tx, ids, { act, ...auditedContact, action: 'delete', id, before: contact });
  });
}

type ContactEdit = ContactChange & {
  /** Null: none. */
  readonly label: string | null;
  readonly position: number;
};

/** The others on its channel make room for it. Null: it is not there any more. */
export function changeContact(sql: Sql, edit: ContactEdit): Promise<Contact | null> {
  const { act, ids, userId, label, position } = edit;
  const { organizationId } = act;
  const owner = { organizationId, userId };
  const { id, channel } = edit.contact;
  const isIt = (one: Contact) => one.id === id;
  return transact(sql, async (tx) => {
    await lockOrganization(tx, organizationId);
    const own = await listContacts(tx, owner);
    const before = own.find(isIt);
    if (before === undefined) return null;
    if (position !== before.position) {
      const others = own
        .filter((one) => one.channel === channel && !isIt(one))
        .sort((one, other) => one.position - other.position);
      const order = others.map((one) => one.id).toSpliced(position - 1, 0, id);
      await tx`
        update contacts set position = array_position(${order}::text[], id::text)
        where organization_id = ${organizationId} and id = any(${order})`;
    }
    await tx`
      update contacts set label = ${label}
      where organization_id = ${organizationId} and id = ${id}`;
    const after = (await listContacts(tx, owner)).find(isIt) ?? before;
    await audit(tx, ids, { act, ...auditedContact, action: 'update', id, before, after });
    return after;
  });
}

type NewCode = {
  readonly organizationId: string;
  readonly userId: string;
  readonly contact: Pick<Contact, 'id' | 'channel'>;
  /** Of the address. */
  readonly addressDigest: Uint8Array;
  readonly quotas: readonly Quota[];
  readonly digest: Uint8Array;
  readonly now: Temporal.Instant;
  readonly lasts: Temporal.Duration;
};

/** When a code may be sent. */
export type Wait = {
  readonly until: Temporal.Instant;
  /** The quota that is used up. */
  readonly quota: Quota;
};

/** In place of an earlier code; null: it may be sent. */
export function storeCode(sql: Sql, code: NewCode): Promise<Wait | null> {
  const { organizationId, userId, contact, now, addressDigest } = code;
  return transact(sql, async (tx) => {
    await lockOrganization(tx, organizationId);
    const { channel } = contact;
    const send = {
      organizationId,
      userId,
      channel,
      kind: 'code',
      digest: addressDigest,
      now,
    } as const;
    const wait = await countSend(tx, send, code.quotas);
    if (wait !== null) return wait;
    await tx`
      insert into contact_codes (organization_id, contact_id, digest, sent_at, expires_at, tries)
      values (${organizationId}, ${contact.id}, ${code.digest}, ${now}, ${now.add(code.lasts)}, 0)
      on conflict (organization_id, contact_id) do update
        set digest = excluded.digest, sent_at = excluded.sent_at,
          expires_at = excluded.expires_at, tries = 0`;
    return null;
  });
}

export function provedContact(contact: Contact, now: Temporal.Instant): Contact {
  const { state: _, state_reason: __, state_at: ___, ...lasting } = contact;
  return { ...lasting, verified: true, proved_at: timeText(now) };
}

type CodeAttempt = ContactChange & { readonly digest: Uint8Array; readonly triesMax: number };

/** Every try counts, also beside others at the same moment. */
export function verifyContact(sql: Sql, attempt: CodeAttempt): Promise<'verified' | 'wrong'> {
  const { act, ids, contact } = attempt;
  const { id } = contact;
  return transact(sql, async (tx) => {
    const [code] = await tx<{ isRight: boolean }[]>`
      update contact_codes set tries = tries + 1
      where organization_id = ${act.organizationId} and contact_id = ${id}
        and tries < ${attempt.triesMax} and expires_at > ${act.now.toString()}
      returning digest = ${attempt.digest} as "isRight"`;
    if (!code?.isRight) return 'wrong';
    await tx`
      delete from contact_codes
      where organization_id = ${act.organizationId} and contact_id = ${id}`;
    await tx`
      update contacts set verified_at = ${act.now.toString()}, state = null, state_reason = null,
        state_at = null
      where organization_id = ${act.organizationId} and id = ${id}`;
    await recordProof(tx, { organizationId: act.organizationId, id }, act.now);
    const after = provedContact(contact, act.now);
    await audit(tx, ids, { act, ...auditedContact, action: 'verify', id, before: contact, after });
    return 'verified';
  });
}

export type ContactAddress = {
  readonly organizationId: string;
  readonly channel: string;
  readonly address: string;
};

export type ContactPerson = {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly role: string;
};

/** The active people who have this as a verified contact: one, unless they share it. */
export const peopleByContact = (
  sql: Queries,
  { organizationId, channel, address }: ContactAddress,
): Promise<readonly ContactPerson[]> =>
  sql<ContactPerson[]>`
    select distinct u.id, u.first_name, u.last_name, u.email, u.role
    from contacts c join users u on u.organization_id = c.organization_id and u.id = c.user_id
    where c.organization_id = ${organizationId} and c.channel = ${channel}
      and c.address = ${address} and c.verified_at is not null and u.active
    order by u.id`;

type ChatLink = ContactAddress & {
  readonly ids: Ids;
  readonly now: Temporal.Instant;
  /** When the code was sent; absent: now. */
  readonly writtenAt?: Temporal.Instant;
  /** Of the code that came from there. */
  readonly digest: Uint8Array;
  readonly contactsMax: number;
};

/** The chat as a verified contact of whoever made the code. Null: the code is not good. */
export function linkChat(sql: Sql, link: ChatLink): Promise<ContactPerson | 'full' | null> {
  const { organizationId, channel, address, ids, now, writtenAt = now, digest } = link;
  return transact(sql, async (tx) => {
    // Anybody may send anything: the organisation is locked only for what may be a code.
    if (!(await isLinkCode(tx, digest))) return null;
    await lockOrganization(tx, organizationId);
    const userId = await takeLinkCode(tx, { organizationId, channel, digest, now });
    if (userId === null) return null;
    const [person] = await tx<ContactPerson[]>`
      select id, first_name, last_name, email, role from users
      where organization_id = ${organizationId} and id = ${userId} and active`;
    if (person === undefined) return null;
    const own = await listContacts(tx, { organizationId, userId });
    const before = own.find((each) => each.channel === channel && each.address === address);
    if (before?.verified) {
      await recordProof(tx, { organizationId, id: before.id }, writtenAt);
      return person;
    }
    if (before === undefined && own.length >= link.contactsMax) return 'full';
    const id = before?.id ?? ids.next();
    await tx`
      insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
      values (${organizationId}, ${id}, ${userId}, ${channel}, ${address}, ${writtenAt}, ${now})
      on conflict (organization_id, id) do update set verified_at = excluded.verified_at,
        state = null, state_reason = null, state_at = null`;
    await recordProof(tx, { organizationId, id }, writtenAt);
    const after = (await listContacts(tx, { organizationId, userId })).find((one) => one.id === id);
    const actor = { kind: 'session', id: userId, name: personName(person) };
    const act = { organizationId, teamIds: null, actor, requestId: null, now };
    const action = before === undefined ? 'create' : 'verify';
    await audit(tx, ids, { act, ...auditedContact, action, id, ...(before && { before }), after });
    return person;
  });
}

/** Of a contact that is verified no more, as JSON. */
export type LostRow = {
  readonly channel: string;
  readonly state: string;
  readonly since: string | null;
};

/** Of contacts `c` that are verified no more, those that were lost last stand last. */
export const lostRows = (sql: Queries) => sql`
  json_agg(json_build_object('channel', c.channel, 'state', c.state, 'since', c.state_at)
    order by c.state_at, c.id)`;

/** By channel, of the one that was lost last. */
export const lossesOf = (rows: readonly LostRow[] | null): Readonly<Record<string, ContactLoss>> =>
  Object.fromEntries(
    (rows ?? []).flatMap(({ channel, state, since }) => {
      const known = contactStates.find((one) => one === state);
      if (known === undefined || since === null) return [];
      return [[channel, { state: known, since: Temporal.Instant.from(since) }] as const];
    }),
  );

export type VerifiedChannels = {
  readonly name: string;
  readonly channels: ReadonlySet<string>;
  readonly lost: ReturnType<typeof lossesOf>;
};

/** Of active people, by their ids: on which channels they have a verified contact. */
export async function verifiedChannels(
  sql: Queries,
  organizationId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, VerifiedChannels>> {
  type Row = Parameters<typeof personName>[0] & {
    id: string;
    channels: string[];
    lost: LostRow[] | null;
  };
  const rows = await sql<Row[]>`
    select u.id, u.first_name, u.last_name, array(
      select distinct c.channel from contacts c
      where c.organization_id = u.organization_id and c.user_id = u.id
        and c.verified_at is not null) as channels, (
      select ${lostRows(sql)} from contacts c
      where c.organization_id = u.organization_id and c.user_id = u.id
        and c.state is not null) as lost
    from users u
    where u.organization_id = ${organizationId} and u.active and u.id = any(${[...userIds]})`;
  // The address that they sign in with is a verified contact, too.
  return new Map(
    rows.map(({ id, channels, lost, ...person }) => [
      id,
      {
        name: personName(person),
        channels: new Set([signInChannel, ...channels]),
        lost: lossesOf(lost),
      },
    ]),
  );
}
