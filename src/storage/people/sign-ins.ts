// The rows of better-auth that change together with ours; the rest of them is its own business.
import type { Ids } from '../../engine/ids.ts';
import { removeOldTextAnswers } from '../connections/text-answers.ts';
import type { Queries, Transaction } from '../database/database.ts';
import type { Random } from './key-text.ts';
import { endPasswordLinks } from './password-links.ts';
import { holdPasswordBack } from './second-factors.ts';
import { removeOldSends } from './unproved-sends.ts';

/**
 * At once: the next request with such a session is nobody's. Nor does a link that was sent before
 * sign anybody in.
 */
export async function endSessions(
  tx: Transaction,
  userId: string,
  exceptId?: string,
): Promise<void> {
  await tx`
    delete from auth_sessions where user_id = ${userId} and id is distinct from ${exceptId ?? null}`;
  await endPasswordLinks(tx, userId);
}

/** Made up, with 120 random bits. */
export const newPassword = (random: Random): string =>
  Buffer.from(random(15)).toString('base64url');

/**
 * How better-auth knows a person. Not their e-mail, which it takes only in forms of its own
 * choosing (never `ada@localhost`) and which would then be kept in two places.
 */
export const signInName = (id: string): string => `${id}@users.invalid`;

/** Of the active person with this address, in any case of letters. */
export async function idByEmail(sql: Queries, email: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from users where lower(email) = lower(${email}) and active`;
  return row?.id ?? null;
}

export type NewPassword = {
  readonly user: { readonly id: string; readonly name: string };
  readonly passwordHash: string;
  readonly ids: Ids;
  readonly now: Temporal.Instant;
  /** The session that stays; otherwise none does. */
  readonly exceptId?: string;
};

/** A session needs this row, which a person who never had a password does not have yet. */
export async function ensureAccount(
  tx: Transaction,
  { id, name }: NewPassword['user'],
  now: Temporal.Instant,
): Promise<void> {
  const at = now.toString();
  await tx`
    insert into auth_users (id, name, email, email_verified, created_at, updated_at)
    values (${id}, ${name}, ${signInName(id)}, true, ${at}, ${at})
    on conflict (id) do nothing`;
}

/** The person can sign in with it; whoever was signed in no longer is, or only in one session. */
export async function setPassword(tx: Transaction, change: NewPassword): Promise<void> {
  const { user, passwordHash, ids, now, exceptId } = change;
  const at = now.toString();
  await ensureAccount(tx, user, now);
  await tx`
    insert into auth_accounts
      (id, user_id, account_id, provider_id, password, created_at, updated_at)
    values (${ids.next()}, ${user.id}, ${user.id}, 'credential', ${passwordHash}, ${at}, ${at})
    on conflict (provider_id, account_id) do update
      set password = excluded.password, updated_at = excluded.updated_at`;
  await holdPasswordBack(tx, user.id);
  await endSessions(tx, user.id, exceptId);
}

/** Whether the person has a password. */
export async function hasPassword(sql: Queries, userId: string): Promise<boolean> {
  const [row] = await sql`
    select from auth_accounts where user_id = ${userId} and provider_id = 'credential'`;
  return row !== undefined;
}

export type Person = {
  readonly organization_id: string;
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly role: string;
};

/** Whoever may be signed in; null for the inactive and the unknown. */
export async function activePerson(sql: Queries, id: string): Promise<Person | null> {
  const [row] = await sql<Person[]>`
    select organization_id, id, first_name, last_name, email, role
    from users where id = ${id} and active`;
  return row ?? null;
}

/** Those of these sessions that last, of active people. */
export async function personsBySessions(
  sql: Queries,
  ids: readonly string[],
  now: Temporal.Instant,
): Promise<readonly (Person & { readonly session_id: string })[]> {
  return sql<(Person & { session_id: string })[]>`
    select s.id as session_id, u.organization_id, u.id, u.first_name, u.last_name, u.email, u.role
    from auth_sessions s join users u on u.id = s.user_id
    where s.id = any(${[...ids]}) and s.expires_at > ${now.toString()} and u.active`;
}

/** At once, of each table. */
const removedAtOnce = 1_000;

/** Some of the sessions and codes that are over; answers how many rows went. */
export async function removeExpired(sql: Queries, now: Temporal.Instant): Promise<number> {
  const expired = sql`expires_at < ${now.toString()} order by expires_at limit ${removedAtOnce}`;
  const sessions = await sql`
    delete from auth_sessions where id in (select id from auth_sessions where ${expired})`;
  const verifications = await sql`
    delete from auth_verifications
    where id in (select id from auth_verifications where ${expired})`;
  const codes = await sql`
    delete from contact_codes where (organization_id, contact_id) in (
      select organization_id, contact_id from contact_codes where ${expired})`;
  const unproved = await removeOldSends(sql, now.subtract({ hours: 24 }));
  const answers = await removeOldTextAnswers(sql, now);
  let count = sessions.count + verifications.count + codes.count + unproved + answers;
  for (const table of ['password_links', 'used_challenges', 'link_codes', 'chat_link_codes']) {
    const removed = await sql`
      delete from ${sql(table)} where digest in (select digest from ${sql(table)} where ${expired})`;
    count += removed.count;
  }
  return count;
}

export type Membership = {
  readonly organization: { readonly id: string; readonly name: string; readonly timezone: string };
  /** Active ones, by name. */
  readonly teams: readonly { readonly id: string; readonly name: string }[];
  readonly timezone: string | null;
};

/** Where somebody who is signed in belongs, and the time zone that they chose. */
export async function membershipOf(sql: Queries, userId: string): Promise<Membership> {
  const [row] = await sql<[Membership]>`
    select u.timezone,
      json_build_object('id', o.id, 'name', o.name, 'timezone', o.timezone) as organization,
      coalesce((
        select json_agg(json_build_object('id', t.id, 'name', t.name) order by t.name, t.id)
        from team_members m
        join teams t on t.organization_id = m.organization_id and t.id = m.team_id
        where m.organization_id = u.organization_id and m.user_id = u.id and t.archived_at is null
      ), '[]') as teams
    from users u join organizations o on o.id = u.organization_id where u.id = ${userId}`;
  return row;
}
