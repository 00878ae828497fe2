import type { Queries } from '../database/database.ts';

/** A notice to one person by one channel about shifts that an edit moved; without the address. */
export type ChangeNotice = {
  /** Grows from each notice to the next. */
  readonly sequence: string;
  readonly edit: number;
  readonly user_id: string;
  readonly created_at: Temporal.Instant;
  readonly changes: readonly {
    readonly type: 'gained' | 'lost';
    readonly start: string;
    readonly end: string | null;
  }[];
  readonly channel: string;
  readonly recipient: string | null;
  readonly state: string;
  readonly reason: string | null;
  readonly attempts: number;
};

type ChangeNoticesQuery = {
  readonly organizationId: string;
  readonly scheduleId: string;
  /** Only notices of a smaller sequence; null at the start. */
  readonly before: string | null;
  readonly limit: number;
};

/** Newest first. */
export async function listChangeNotices(
  sql: Queries,
  { organizationId, scheduleId, before, limit }: ChangeNoticesQuery,
): Promise<readonly ChangeNotice[]> {
  const keys = `shift/${scheduleId}/change`;
  // A dot follows the dash: between the two lie all keys that begin with what is before it.
  return sql<ChangeNotice[]>`
    select sequence::text, split_part(split_part(key, '/', 3), '-', 2)::integer as edit, user_id,
      created_at, notice -> 'story' -> 'changes' as changes, channel,
      notice ->> 'recipient' as recipient, state, reason, attempts
    from outbox
    where organization_id = ${organizationId}
      and key > ${`${keys}-`} collate "C" and key < ${`${keys}.`} collate "C"
      ${before === null ? sql`` : sql`and sequence < ${before}::bigint`}
    order by outbox.sequence desc limit ${limit}`;
}
