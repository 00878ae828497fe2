// Who somebody is whom a vendor names: linked by their e-mail, or by themselves while signed in.
import type { Ids } from '../../engine/ids.ts';
import { personName } from '../../resources/person-name.ts';
import { type Queries, type Sql, type Transaction, transact } from '../database/database.ts';
import { type Act, audit } from '../organizations/audit.ts';
import { timeText } from '../records/rows.ts';
import { auditedChatAccount } from './audited.ts';
import type { ContactPerson } from './contacts.ts';
import { lockOrganization } from './users.ts';

/** Somebody as their vendor names them. */
export type VendorUser = {
  readonly organizationId: string;
  readonly connectionId: string;
  readonly vendorUserId: string;
};

export type NamedVendorUser = VendorUser & { readonly vendorUserName: string };

export const linkedBy = ['email', 'link'] as const;

export type ChatAccount = {
  readonly id: string;
  readonly connection_id: string;
  /** Of the connection. */
  readonly vendor: string;
  readonly connection: string;
  readonly name: string;
  readonly linked_by: (typeof linkedBy)[number];
  readonly linked_at: string;
};

type Row = Omit<ChatAccount, 'linked_at'> & { readonly linked_at: Temporal.Instant };

export async function listChatAccounts(
  sql: Queries,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
): Promise<readonly ChatAccount[]> {
  const rows = await sql<Row[]>`
    select a.id, a.connection_id, c.vendor, c.name as connection, a.vendor_user_name as name,
      a.how as linked_by, a.linked_at
    from chat_accounts a join channel_connections c
      on c.organization_id = a.organization_id and c.id = a.connection_id
    where a.organization_id = ${organizationId} and a.user_id = ${userId} order by a.id`;
  return rows.map((row) => ({ ...row, linked_at: timeText(row.linked_at) }));
}

type Linked = ContactPerson & { readonly active: boolean };

/** Null: nobody has linked that account. */
export async function personOfAccount(sql: Queries, of: VendorUser): Promise<Linked | null> {
  const [person] = await sql<Linked[]>`
    select u.id, u.first_name, u.last_name, u.email, u.role, u.active
    from chat_accounts a join users u
      on u.organization_id = a.organization_id and u.id = a.user_id
    where a.organization_id = ${of.organizationId} and a.connection_id = ${of.connectionId}
      and a.vendor_user_id = ${of.vendorUserId}`;
  return person ?? null;
}

type EmailLink = NamedVendorUser & {
  readonly ids: Ids;
  readonly now: Temporal.Instant;
  readonly email: string;
};

/** The active person of the organisation who has that e-mail, from now on known there. */
export function linkByEmail(sql: Sql, link: EmailLink): Promise<ContactPerson | null> {
  const { organizationId, email, ids, now } = link;
  return transact(sql, async (tx) => {
    await lockOrganization(tx, organizationId);
    const people = await tx<ContactPerson[]>`
      select id, first_name, last_name, email, role from users
      where organization_id = ${organizationId} and lower(email) = lower(${email}) and active`;
    const [person] = people;
    if (person === undefined || people.length > 1) return null;
    const server = { kind: 'server', id: organizationId, name: 'Pager' };
    const act = { organizationId, teamIds: null, actor: server, requestId: null, now };
    await store(tx, { act, ids, of: link, person, how: 'email' });
    return person;
  });
}

type LinkCode = NamedVendorUser & {
  readonly digest: Uint8Array;
  readonly expiresAt: Temporal.Instant;
};

/** In the place of an earlier one. */
export async function storeChatLinkCode(sql: Queries, code: LinkCode): Promise<void> {
  await sql`
    insert into chat_link_codes (digest, organization_id, connection_id, vendor_user_id,
      vendor_user_name, expires_at)
    values (${code.digest}, ${code.organizationId}, ${code.connectionId}, ${code.vendorUserId},
      ${code.vendorUserName}, ${code.expiresAt})
    on conflict (organization_id, connection_id, vendor_user_id) do update
      set digest = excluded.digest, vendor_user_name = excluded.vendor_user_name,
        expires_at = excluded.expires_at`;
}

type CodeQuery = {
  readonly organizationId: string;
  readonly digest: Uint8Array;
  readonly now: Temporal.Instant;
};

export type LinkRequest = NamedVendorUser & {
  readonly vendor: string;
  /** What the vendor calls the account of the connection. */
  readonly account: string | null;
};

/** Who was given a code that is still good; null: nobody in this organisation. */
export async function readChatLinkCode(
  sql: Queries,
  { organizationId, digest, now }: CodeQuery,
): Promise<LinkRequest | null> {
  const [row] = await sql<LinkRequest[]>`
    select l.organization_id as "organizationId", l.connection_id as "connectionId",
      l.vendor_user_id as "vendorUserId", l.vendor_user_name as "vendorUserName",
      c.vendor, h.account
    from chat_link_codes l
    join channel_connections c on c.organization_id = l.organization_id and c.id = l.connection_id
    left join connection_health h
      on h.organization_id = l.organization_id and h.connection_id = l.connection_id
    where l.digest = ${digest} and l.organization_id = ${organizationId}
      and l.expires_at > ${now} and c.archived_at is null`;
  return row ?? null;
}

type Confirmation = CodeQuery & { readonly ids: Ids; readonly userId: string };

/** Links whoever was given the code to the person who confirms it. It is good once. */
export function confirmChatLink(sql: Sql, by: Confirmation): Promise<ContactPerson | null> {
  const { organizationId, digest, ids, now, userId } = by;
  return transact(sql, async (tx) => {
    await lockOrganization(tx, organizationId);
    const of = await readChatLinkCode(tx, by);
    if (of === null) return null;
    await tx`delete from chat_link_codes where digest = ${digest}`;
    const [person] = await tx<ContactPerson[]>`
      select id, first_name, last_name, email, role from users
      where organization_id = ${organizationId} and id = ${userId} and active`;
    if (person === undefined) return null;
    const actor = { kind: 'session', id: userId, name: personName(person) };
    const act = { organizationId, teamIds: null, actor, requestId: null, now };
    await store(tx, { act, ids, of, person, how: 'link' });
    return person;
  });
}

type Link = {
  readonly act: Act;
  readonly ids: Ids;
  readonly of: NamedVendorUser;
  readonly person: ContactPerson;
  readonly how: ChatAccount['linked_by'];
};

/** One at a vendor is one person; what was linked before is theirs no more. */
async function store(tx: Transaction, { act, ids, of, person, how }: Link): Promise<void> {
  const id = ids.next();
  const [row] = await tx<{ id: string }[]>`
    insert into chat_accounts (organization_id, id, connection_id, vendor_user_id,
      vendor_user_name, user_id, how, linked_at)
    values (${of.organizationId}, ${id}, ${of.connectionId}, ${of.vendorUserId},
      ${of.vendorUserName}, ${person.id}, ${how}, ${act.now})
    on conflict (organization_id, connection_id, vendor_user_id) do update
      set user_id = excluded.user_id, how = excluded.how, linked_at = excluded.linked_at,
        vendor_user_name = excluded.vendor_user_name
    returning id`;
  const { connectionId: connection_id, vendorUserName: name } = of;
  const after = { id: row?.id ?? id, connection_id, name, user_id: person.id, linked_by: how };
  await audit(tx, ids, { act, ...auditedChatAccount, action: 'create', id: after.id, after });
}

type Removal = {
  readonly act: Act;
  readonly ids: Ids;
  readonly userId: string;
  readonly id: string;
};

/** Null: there is no such account of that person. */
export function removeChatAccount(
  sql: Sql,
  { act, ids, userId, id }: Removal,
): Promise<ChatAccount | null> {
  const { organizationId } = act;
  return transact(sql, async (tx) => {
    const all = await listChatAccounts(tx, { organizationId, userId });
    const before = all.find((each) => each.id === id);
    if (before === undefined) return null;
    await tx`delete from chat_accounts where organization_id = ${organizationId} and id = ${id}`;
    await audit(tx, ids, { act, ...auditedChatAccount, action: 'delete', id, before });
    return before;
  });
}
