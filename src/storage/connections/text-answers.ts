// Answers to texts: when somebody was sent one last, and how often one that did nothing, on all
// servers together.
import { accessLimits } from '../../limits/access.ts';
import { sendingLimits } from '../../limits/sending.ts';
import type { Queries } from '../database/database.ts';

type Answering = {
  readonly organizationId: string;
  /** Of the address; keyed. */
  readonly digest: Uint8Array;
  readonly now: Temporal.Instant;
};

const LASTS = { minutes: accessLimits.textAnswerMinutes };

/** Whether somebody unknown may be answered, and then that counts as sent. */
export async function takeStrangersAnswer(
  sql: Queries,
  { organizationId, digest, now }: Answering,
): Promise<boolean> {
  const { count } = await sql`
    insert into text_answers as before (organization_id, address_digest, answer, sent_at)
    values (${organizationId}, ${digest}, 'unknown', ${now})
    on conflict (organization_id, address_digest, answer) do update set sent_at = excluded.sent_at
      where before.sent_at <= ${now.subtract(LASTS)}`;
  return count > 0;
}

/**
 * The same of a text that did nothing, by somebody who is known. `pagedAt`: when the last page was
 * sent there; whoever was paged since is answered anew.
 */
export async function takeAnswer(
  sql: Queries,
  {
    organizationId,
    digest,
    now,
    pagedAt,
  }: Answering & { readonly pagedAt: Temporal.Instant | null },
): Promise<boolean> {
  const begun = sql`(before.since is null or before.since <= ${now.subtract(LASTS)}
    or before.since < ${pagedAt}::timestamptz)`;
  const { count } = await sql`
    insert into text_answers as before (organization_id, address_digest, answer, sent_at, since)
    values (${organizationId}, ${digest}, 'nothing', ${now}, ${now})
    on conflict (organization_id, address_digest, answer) do update
      set sent_at = excluded.sent_at,
        since = case when ${begun} then excluded.since else before.since end,
        times = case when ${begun} then 1 else before.times + 1 end
      where before.times < ${accessLimits.textAnswers} or ${begun}`;
  return count > 0;
}

/** A text that has acted, which is always answered. */
export async function noteAnswer(
  sql: Queries,
  { organizationId, digest, now }: Answering,
): Promise<void> {
  await sql`
    insert into text_answers (organization_id, address_digest, answer, sent_at)
    values (${organizationId}, ${digest}, 'done', ${now})
    on conflict (organization_id, address_digest, answer) do update set sent_at = excluded.sent_at`;
}

/** When the address was last sent any; null: it was sent none. */
export async function answeredAt(
  sql: Queries,
  { organizationId, digest }: Omit<Answering, 'now'>,
): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ at: Temporal.Instant | null }[]>`
    select max(sent_at) as at from text_answers
    where organization_id = ${organizationId} and address_digest = ${digest}`;
  return row?.at ?? null;
}

const removedAtOnce = 1_000;

/** Old ones, which neither the count nor the question of what was sent last needs. */
export async function removeOldTextAnswers(sql: Queries, now: Temporal.Instant): Promise<number> {
  const before = now.subtract({ hours: 24 * sendingLimits.repliesDays });
  const { count } = await sql`
    delete from text_answers where ctid in (
      select ctid from text_answers where sent_at <= ${before}
      order by sent_at limit ${removedAtOnce})`;
  return count;
}
