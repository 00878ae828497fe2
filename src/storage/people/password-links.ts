// Links by which people set a password, or sign in. Only the digest of a link is stored; it is gone
// once it was used, and ends with whatever ends the sessions of its person.
import type { Queries, Transaction } from '../database/database.ts';

export const linkPurposes = ['invitation', 'reset', 'sign_in'] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

type OfPerson = { readonly organizationId: string; readonly userId: string };

type NewPasswordLink = OfPerson & {
  readonly purpose: LinkPurpose;
  readonly digest: Uint8Array;
  readonly now: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
};

/** In place of an earlier one for the same purpose. */
export async function storePasswordLink(sql: Queries, link: NewPasswordLink): Promise<void> {
  await sql`
    insert into password_links
      (organization_id, user_id, purpose, digest, created_at, expires_at)
    values (${link.organizationId}, ${link.userId}, ${link.purpose}, ${link.digest}, ${link.now},
      ${link.expiresAt})
    on conflict (organization_id, user_id, purpose) do update
      set digest = excluded.digest, created_at = excluded.created_at,
        expires_at = excluded.expires_at`;
}

export type PasswordLink = {
  readonly organization_id: string;
  readonly organization: string;
  readonly user_id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  /** That of the person, else of the organization. */
  readonly timezone: string;
  readonly has_zone: boolean;
  readonly purpose: LinkPurpose;
};

/** Null: there is none, or no longer, or its person is not active. */
export async function passwordLinkBy(
  sql: Queries,
  digest: Uint8Array,
  now: Temporal.Instant,
): Promise<PasswordLink | null> {
  const [link] = await sql<PasswordLink[]>`
    select l.organization_id, o.name as organization, l.user_id, u.first_name, u.last_name, u.email,
      coalesce(u.timezone, o.timezone) as timezone, u.timezone is not null as has_zone, l.purpose
    from password_links l
    join organizations o on o.id = l.organization_id
    join users u on u.organization_id = l.organization_id and u.id = l.user_id
    where l.digest = ${digest} and l.expires_at > ${now} and u.active
      -- Nobody who can sign in is invited.
      and (l.purpose <> 'invitation' or not exists (
        select from auth_accounts a where a.user_id = l.user_id and a.provider_id = 'credential'))`;
  return link ?? null;
}

/** Whether it was still there: of several who use it at once, one finds it. */
export async function takePasswordLink(
  tx: Transaction,
  digest: Uint8Array,
  now: Temporal.Instant,
): Promise<boolean> {
  const taken = await tx`
    delete from password_links where digest = ${digest} and expires_at > ${now}`;
  return taken.count === 1;
}

/** When the person's invitation expires; null: there is none. */
export async function invitationExpiry(
  sql: Queries,
  { organizationId, userId }: OfPerson,
): Promise<Temporal.Instant | null> {
  const [link] = await sql<{ expires_at: Temporal.Instant }[]>`
    select expires_at from password_links
    where organization_id = ${organizationId} and user_id = ${userId} and purpose = 'invitation'`;
  return link?.expires_at ?? null;
}

/** At once. */
export async function endPasswordLinks(tx: Transaction, userId: string): Promise<void> {
  await tx`delete from password_links where user_id = ${userId}`;
}
