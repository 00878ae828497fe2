// The second factor of people, and what a password is without it.
import type { Queries, Transaction } from '../database/database.ts';

export type SecondFactor = {
  readonly organization_id: string;
  readonly user_id: string;
  readonly secret_encrypted: string;
  readonly confirmed_at: Temporal.Instant | null;
  readonly last_interval: number;
  readonly failures: number;
  readonly next_try_at: Temporal.Instant | null;
};

const names = (sql: Queries) => sql`
  organization_id, user_id, secret_encrypted, confirmed_at, last_interval::integer, failures,
  next_try_at`;

export async function findSecondFactor(sql: Queries, userId: string): Promise<SecondFactor | null> {
  const [row] = await sql<SecondFactor[]>`
    select ${names(sql)} from second_factors where user_id = ${userId}`;
  return row ?? null;
}

/** Of several that check a code at once, each sees what the one before it noted. */
export async function lockSecondFactor(
  tx: Transaction,
  userId: string,
): Promise<SecondFactor | null> {
  const [row] = await tx<SecondFactor[]>`
    select ${names(tx)} from second_factors where user_id = ${userId} for update`;
  return row ?? null;
}

export async function hasSecondFactor(sql: Queries, userId: string): Promise<boolean> {
  const [row] = await sql`
    select from second_factors where user_id = ${userId} and confirmed_at is not null`;
  return row !== undefined;
}

type OfPerson = { readonly organizationId: string; readonly userId: string };
type Begun = OfPerson & { readonly sealed: string; readonly now: Temporal.Instant };

/** In the place of one that nobody has confirmed; false: there is one that counts. */
export async function beginSecondFactor(sql: Queries, begun: Begun): Promise<boolean> {
  const stored = await sql`
    insert into second_factors (organization_id, user_id, secret_encrypted, created_at)
    values (${begun.organizationId}, ${begun.userId}, ${begun.sealed}, ${begun.now})
    on conflict (organization_id, user_id) do update
      set secret_encrypted = excluded.secret_encrypted, created_at = excluded.created_at,
        failures = 0, next_try_at = null
      where second_factors.confirmed_at is null`;
  return stored.count === 1;
}

type Noted = {
  readonly failures: number;
  readonly nextTryAt: Temporal.Instant | null;
  readonly interval: number;
};

export async function noteTry(tx: Transaction, userId: string, noted: Noted): Promise<void> {
  await tx`
    update second_factors set failures = ${noted.failures}, next_try_at = ${noted.nextTryAt},
      last_interval = ${noted.interval}
    where user_id = ${userId}`;
}

/** From now on a sign-in needs it. */
export async function confirmSecondFactor(
  tx: Transaction,
  userId: string,
  now: Temporal.Instant,
): Promise<void> {
  await tx`update second_factors set confirmed_at = ${now} where user_id = ${userId}`;
  await holdPasswordBack(tx, userId);
}

export async function replaceRecoveryCodes(
  tx: Transaction,
  { organizationId, userId }: OfPerson,
  digests: readonly Uint8Array[],
): Promise<void> {
  await tx`delete from recovery_codes where user_id = ${userId}`;
  for (const digest of digests)
    await tx`
      insert into recovery_codes (organization_id, user_id, digest)
      values (${organizationId}, ${userId}, ${digest})`;
}

/** Whether it was there: each is good once. */
export async function takeRecoveryCode(
  tx: Transaction,
  userId: string,
  digest: Uint8Array,
): Promise<boolean> {
  const taken = await tx`
    delete from recovery_codes where user_id = ${userId} and digest = ${digest}`;
  return taken.count === 1;
}

export async function countRecoveryCodes(sql: Queries, userId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from recovery_codes where user_id = ${userId}`;
  return row?.count ?? 0;
}

/** Whether there was one that counted. */
export async function removeSecondFactor(tx: Transaction, userId: string): Promise<boolean> {
  const [removed] = await tx<{ confirmed_at: Temporal.Instant | null }[]>`
    delete from second_factors where user_id = ${userId} returning confirmed_at`;
  await tx`
    update auth_accounts set password = replace(password, ${heldBack}, ${usable})
    where user_id = ${userId} and provider_id = 'credential'`;
  return (removed?.confirmed_at ?? null) !== null;
}

/** As hashes begin. A server of 0.1.0 reads the first as another algorithm's, which no password has. */
const heldBack = '$argon2i$';
const usable = '$argon2id$';

export const usableHash = (stored: string): string => stored.replace(heldBack, () => usable);

/**
 * With a second factor, the stored hash is one that servers of 0.1.0 find wrong: they know no second
 * factor, and would take the password alone.
 */
export async function holdPasswordBack(tx: Transaction, userId: string): Promise<void> {
  await tx`
    update auth_accounts set password = replace(password, ${usable}, ${heldBack})
    where user_id = ${userId} and provider_id = 'credential' and exists (
      select from second_factors f where f.user_id = ${userId} and f.confirmed_at is not null)`;
}

/** Null: the person has no password. */
export async function passwordHashOf(sql: Queries, userId: string): Promise<string | null> {
  const [row] = await sql<{ password: string | null }[]>`
    select password from auth_accounts where user_id = ${userId} and provider_id = 'credential'`;
  return row?.password ? usableHash(row.password) : null;
}
