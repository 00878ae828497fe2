// Passkeys of people, and the challenges that were answered.
import type { Queries, Transaction } from '../database/database.ts';

export type Passkey = {
  readonly id: string;
  readonly user_id: string;
  readonly name: string;
  readonly credential_id: Uint8Array;
  readonly public_key: Uint8Array;
  readonly sign_count: number;
  readonly synced: boolean;
  readonly created_at: Temporal.Instant;
  readonly last_used_at: Temporal.Instant | null;
};

const columns = (sql: Queries) => sql`
  id, user_id, name, credential_id, public_key, sign_count, synced, created_at,
  last_used_at`;

/** The oldest first. */
export const listPasskeys = (sql: Queries, userId: string): Promise<readonly Passkey[]> =>
  sql<Passkey[]>`
    select ${columns(sql)} from passkeys where user_id = ${userId} order by created_at, id`;

/** Whether anybody has one. */
export async function hasPasskeys(sql: Queries): Promise<boolean> {
  const [row] = await sql<[{ has: boolean }]>`select exists (select from passkeys) as has`;
  return row.has;
}

/** The address with which the person of a passkey signs in; null: there is no such passkey. */
export async function emailOfPasskey(
  sql: Queries,
  credentialId: Uint8Array,
): Promise<string | null> {
  const [row] = await sql<{ email: string }[]>`
    select u.email from passkeys p
    join users u on u.organization_id = p.organization_id and u.id = p.user_id
    where p.credential_id = ${credentialId}`;
  return row?.email ?? null;
}

/** Of several that use it at once, each sees what the one before it noted. */
export async function lockPasskey(
  tx: Transaction,
  credentialId: Uint8Array,
): Promise<Passkey | null> {
  const [row] = await tx<Passkey[]>`
    select ${columns(tx)} from passkeys where credential_id = ${credentialId} for update`;
  return row ?? null;
}

/** Whether it is there still. Whoever removes it later finds what was written before this. */
export async function hasPasskey(sql: Queries, credentialId: Uint8Array): Promise<boolean> {
  const [row] = await sql`
    select from passkeys where credential_id = ${credentialId} for key share`;
  return row !== undefined;
}

type NewPasskey = Omit<Passkey, 'last_used_at'> & { readonly organization_id: string };

/** False: somebody has it already. */
export async function addPasskey(tx: Transaction, passkey: NewPasskey): Promise<boolean> {
  const added =
    await tx`insert into passkeys ${tx(passkey)} on conflict (credential_id) do nothing`;
  return added.count === 1;
}

type PasskeyUse = {
  readonly signCount: number;
  readonly synced: boolean;
  readonly now: Temporal.Instant;
};

export async function notePasskeyUse(
  tx: Transaction,
  { credential_id }: Passkey,
  { signCount, synced, now }: PasskeyUse,
): Promise<void> {
  await tx`
    update passkeys set sign_count = ${signCount}, synced = ${synced}, last_used_at = ${now}
    where credential_id = ${credential_id}`;
}

export async function renamePasskey(
  tx: Transaction,
  { userId, id, name }: { readonly userId: string; readonly id: string; readonly name: string },
): Promise<void> {
  await tx`update passkeys set name = ${name} where user_id = ${userId} and id = ${id}`;
}

/** Answers its name; null: the person has no such passkey. */
export async function removePasskey(
  tx: Transaction,
  { userId, id }: { readonly userId: string; readonly id: string },
): Promise<string | null> {
  const [row] = await tx<{ name: string }[]>`
    delete from passkeys where user_id = ${userId} and id = ${id} returning name`;
  return row?.name ?? null;
}

/** All of a person; answers how many there were. */
export async function removePasskeys(tx: Transaction, userId: string): Promise<number> {
  return (await tx`delete from passkeys where user_id = ${userId}`).count;
}

/** Whether nobody has answered it before. */
export async function takeChallenge(
  tx: Transaction,
  challenge: { readonly digest: Uint8Array; readonly expiresAt: Temporal.Instant },
): Promise<boolean> {
  const taken = await tx`
    insert into used_challenges (digest, expires_at)
    values (${challenge.digest}, ${challenge.expiresAt}) on conflict do nothing`;
  return taken.count === 1;
}
