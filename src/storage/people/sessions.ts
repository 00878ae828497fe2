// The sessions of people, in the table of better-auth.
import type { Ids } from '../../engine/ids.ts';
import { type Queries, type Sql, type Transaction, transact } from '../database/database.ts';
import { type Act, audit } from '../organizations/audit.ts';
import { auditedUser } from './audited.ts';

export type SessionRow = {
  readonly id: string;
  readonly user_agent: string | null;
  /** Of the last use. */
  readonly ip_address: string | null;
  readonly created_at: Temporal.Instant;
  /** Of the last use. */
  readonly updated_at: Temporal.Instant;
  readonly expires_at: Temporal.Instant;
};

type Listing = {
  readonly userId: string;
  readonly now: Temporal.Instant;
  readonly limit: number;
};

/** The last used first. */
export function listSessions(
  sql: Queries,
  { userId, now, limit }: Listing,
): Promise<readonly SessionRow[]> {
  return sql<SessionRow[]>`
    select id, user_agent, ip_address, created_at, updated_at, expires_at from auth_sessions
    where user_id = ${userId} and expires_at > ${now}
    order by updated_at desc, id desc limit ${limit}`;
}

type SessionUse = {
  readonly id: string;
  readonly address: string;
  readonly now: Temporal.Instant;
  readonly every: Temporal.Duration;
};

/** At most once in `every`, however many servers try. */
export async function recordSessionUse(sql: Queries, use: SessionUse): Promise<void> {
  const { id, address, now, every } = use;
  await sql`
    update auth_sessions set updated_at = ${now}, ip_address = ${address}
    where id = ${id} and (ip_address is null or updated_at <= ${now.subtract(every)})`;
}

type Ending = { readonly act: Act; readonly ids: Ids; readonly userId: string };

/** Whether there was such a session of the person. */
export const endSession = (sql: Sql, ending: Ending & { readonly id: string }): Promise<boolean> =>
  transact(sql, async (tx) => {
    const ended = await tx`
      delete from auth_sessions where user_id = ${ending.userId} and id = ${ending.id}`;
    return (await noteEnded(tx, ending, ended.count)) > 0;
  });

/** How many there were besides that one. */
export async function endOtherSessions(
  tx: Transaction,
  ending: Ending & { readonly exceptId: string },
): Promise<number> {
  const ended = await tx`
    delete from auth_sessions where user_id = ${ending.userId} and id <> ${ending.exceptId}`;
  return noteEnded(tx, ending, ended.count);
}

async function noteEnded(
  tx: Transaction,
  { act, ids, userId: id }: Ending,
  count: number,
): Promise<number> {
  if (count > 0) await audit(tx, ids, { act, ...auditedUser, action: 'end_sessions', id });
  return count;
}
