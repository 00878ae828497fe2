// How often something is sent where nothing is proved yet, or that only tests: counted in the
// database, for all servers together, under the lock of what is counted.
import type { Queries, Transaction } from '../database/database.ts';

type SendKind = 'code' | 'test';

/** What is about to be sent. */
type Send = {
  readonly organizationId: string;
  readonly userId: string;
  readonly channel: string;
  readonly kind: SendKind;
  /** Of the address; keyed. */
  readonly digest: Uint8Array;
  readonly now: Temporal.Instant;
};

/** So many of them within so many seconds. */
export type Quota = {
  readonly kind: SendKind;
  /** `contact`: the address as a contact of the person, which is the same once it is added again. */
  readonly of: 'person' | 'contact' | 'address' | 'organization';
  readonly count: number;
  readonly seconds: number;
  /** Of an organisation, those that count. */
  readonly channels: readonly string[];
};

/** The quota that is used up, and when it leaves room again. */
type UsedUp = { readonly quota: Quota; readonly until: Temporal.Instant };

/** Null: it was counted, and may be sent. Its organisation is locked. */
export async function countSend(
  tx: Transaction,
  send: Send,
  quotas: readonly Quota[],
): Promise<UsedUp | null> {
  const { organizationId, userId, channel, kind, digest, now } = send;
  // Other organisations may be sending to the same address.
  await tx`select pg_advisory_xact_lock(${SENDS}, hashtext(encode(${digest}, 'hex')))`;
  for (const quota of quotas) {
    const until = await fullUntil(tx, send, quota);
    if (until !== null) return { quota, until };
  }
  await tx`
    insert into sends_to_unproved (organization_id, user_id, channel, kind, address_digest, sent_at)
    values (${organizationId}, ${userId}, ${channel}, ${kind}, ${digest}, ${now})`;
  return null;
}

/** Any number will do that nothing else locks together with another one. */
const SENDS = 724_377;

/** Null: there is room. */
async function fullUntil(
  tx: Transaction,
  { organizationId, userId, digest, now }: Send,
  { of, kind, count, seconds, channels }: Quota,
): Promise<Temporal.Instant | null> {
  const counted = {
    person: tx`organization_id = ${organizationId} and user_id = ${userId}`,
    organization: tx`organization_id = ${organizationId}`,
    contact: tx`
      organization_id = ${organizationId} and user_id = ${userId} and address_digest = ${digest}`,
    address: tx`address_digest = ${digest}`,
  }[of];
  const [row] = await tx<{ sent_at: Temporal.Instant }[]>`
    select sent_at from sends_to_unproved
    where ${counted} and kind = ${kind} and channel = any(${[...channels]}) and sent_at > ${now.subtract({ seconds })}
    order by sent_at desc offset ${count - 1} limit 1`;
  return row === undefined ? null : row.sent_at.add({ seconds });
}

/** Those that no quota counts any more. */
export async function removeOldSends(sql: Queries, before: Temporal.Instant): Promise<number> {
  const { count } = await sql`
    delete from sends_to_unproved where ctid in (
      select ctid from sends_to_unproved where sent_at < ${before} order by sent_at limit 1000)`;
  return count;
}
