// Codes that people send to a vendor's account, to make their chat there a contact of theirs.
import type { Queries, Transaction } from '../database/database.ts';

type NewLinkCode = {
  readonly organizationId: string;
  readonly userId: string;
  readonly channel: string;
  readonly digest: Uint8Array;
  readonly expiresAt: Temporal.Instant;
};

/** In the place of an earlier one. */
export async function storeLinkCode(sql: Queries, code: NewLinkCode): Promise<void> {
  await sql`
    insert into link_codes (organization_id, user_id, channel, digest, expires_at)
    values (${code.organizationId}, ${code.userId}, ${code.channel}, ${code.digest},
      ${code.expiresAt})
    on conflict (organization_id, user_id, channel) do update
      set digest = excluded.digest, expires_at = excluded.expires_at`;
}

type SentCode = {
  readonly organizationId: string;
  readonly channel: string;
  readonly digest: Uint8Array;
  readonly now: Temporal.Instant;
};

/** Whose it is; null: nobody's, or no longer. It is good once. */
export async function takeLinkCode(tx: Transaction, code: SentCode): Promise<string | null> {
  const [row] = await tx<{ user_id: string }[]>`
    delete from link_codes
    where digest = ${code.digest} and organization_id = ${code.organizationId}
      and channel = ${code.channel} and expires_at > ${code.now}
    returning user_id`;
  return row?.user_id ?? null;
}

export async function isLinkCode(sql: Queries, digest: Uint8Array): Promise<boolean> {
  const [row] = await sql`select from link_codes where digest = ${digest}`;
  return row !== undefined;
}

/** Whether somebody may still send a code there. */
export async function isAnyLinking(
  sql: Queries,
  { organizationId, channel, now }: Omit<SentCode, 'digest'>,
): Promise<boolean> {
  const [row] = await sql`
    select from link_codes
    where organization_id = ${organizationId} and channel = ${channel} and expires_at > ${now}
    limit 1`;
  return row !== undefined;
}
