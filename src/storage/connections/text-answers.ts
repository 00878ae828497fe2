// Answers to texts that did nothing: how often somebody gets the same one, on all servers together.
import { accessLimits } from '../../limits/access.ts';
import type { Queries } from '../database.ts';

/** They are unknown; they wrote something else than a command; several incidents can be meant. */
export type TextAnswer = 'unknown' | 'help' | 'which';

type Answering = {
  readonly organizationId: string;
  /** Of the address; keyed. */
  readonly digest: Uint8Array;
  readonly answer: TextAnswer;
  readonly now: Temporal.Instant;
};

const LASTS = { minutes: accessLimits.textAnswerMinutes };
/** Whoever asks again does not know which incidents are open. */
const LIST_LASTS = { minutes: accessLimits.textListMinutes };

/** Whether it may be sent to the address, and then it counts as sent. */
export async function takeTextAnswer(
  sql: Queries,
  { organizationId, digest, answer, now }: Answering,
): Promise<boolean> {
  const before = now.subtract(answer === 'which' ? LIST_LASTS : LASTS);
  const { count } = await sql`
    insert into text_answers as before (organization_id, address_digest, answer, sent_at)
    values (${organizationId}, ${digest}, ${answer}, ${now})
    on conflict (organization_id, address_digest, answer) do update set sent_at = excluded.sent_at
      where before.sent_at <= ${before}`;
  return count > 0;
}

const removedAtOnce = 1_000;

/** Those after which the same may be sent again. */
export async function removeOldTextAnswers(sql: Queries, now: Temporal.Instant): Promise<number> {
  const { count } = await sql`
    delete from text_answers where ctid in (
      select ctid from text_answers where sent_at <= ${now.subtract(LASTS)}
      order by sent_at limit ${removedAtOnce})`;
  return count;
}
