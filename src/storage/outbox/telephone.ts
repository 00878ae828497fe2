// Which telephones are in a call, and who waits for its end: src/engine/sending/telephones.ts decides.

import { longestBackoffs } from '../../engine/sending/backoff.ts';
import type { Claimed } from '../../engine/sending/claimed.ts';
import { calledAgain } from '../../engine/sending/receipt.ts';
import { isCall, longestCall, Telephones } from '../../engine/sending/telephones.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { ringingChannels } from '../../resources/channels.ts';
import type { Queries } from '../database/database.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { attemptsElsewhere } from './handed-over.ts';

/** Of a row of the outbox. */
const isCallIn = (sql: Queries, row: 'o' | 'other') => sql`
  ${sql(row)}.channel = any(${[...ringingChannels]})`;
type Call = Pick<Claimed, 'channel' | 'recipient_key'>;

/**
 * A call to a telephone is begun and ended by one transaction at a time: who waits for a call sees it
 * end, and who ends it sees who waits. Locked after notices, and before what they are about.
 */
export async function lockTelephones(
  { sql }: Pick<LedgerContext, 'sql'>,
  notices: readonly Call[],
): Promise<void> {
  const recipients = new Set(notices.filter(isCall).map(({ recipient_key }) => recipient_key));
  if (recipients.size === 0) return;
  await sql`
    select pg_advisory_xact_lock(hashtextextended('telephone ' || r.key, 0))
    from unnest(${[...recipients].sort()}::text[]) with ordinality as r (key, place)
    order by r.place`;
}

/** Of an attempt `a`: the vendor took the call, and it is not known to have ended. */
const mayBeUnderWay = (sql: Queries) => sql`
  a.outcome = 'handed_over' and coalesce(a.receipt, 'sent') in ('sent', 'answered')`;

/** Whether another call to the telephone of a row `o` of the outbox is under way. */
export const isTelephoneBusy = (sql: Queries, now: Temporal.Instant) => sql`
  (exists (
    select from busy_telephones b
    where b.recipient_key = o.recipient_key and b.key <> o.key and b.busy_until > ${now})
  or exists (
    select from outbox other join attempts a on a.organization_id = other.organization_id
      and a.key = other.key
    where other.recipient_key = o.recipient_key and ${isCallIn(sql, 'other')}
      and other.state = 'pending' and other.key <> o.key
      and ${mayBeUnderWay(sql)} and a.finished_at > ${now.subtract(longestCall)}))`;

/**
 * Of telephones that are locked. A call whose result could not be recorded is over by the end of its
 * lease, however long its notice waits.
 */
export async function readTelephones(
  { sql }: LedgerContext,
  notices: readonly Claimed[],
  now: Temporal.Instant,
): Promise<Telephones> {
  const calls = notices.filter(isCall);
  if (calls.length === 0) return new Telephones([], { until: new Map(), now });
  const recipients = [...new Set(calls.map(({ recipient_key }) => recipient_key))];
  const own = calls.map(({ key }) => key);
  // One that is due is claimed next, and shows how its call ended.
  const soon = now.add({ seconds: 1 });
  const rows = await sql<{ recipient_key: string; until: Temporal.Instant }[]>`
    select o.recipient_key, max(greatest(o.wake_at, ${soon})) as until
    from outbox o join attempts a on a.organization_id = o.organization_id and a.key = o.key
      and a.number > ${attemptsElsewhere(sql)}
    where o.state = 'pending' and ${isCallIn(sql, 'o')} and o.recipient_key = any(${recipients})
      and o.key <> all(${own})
      and (a.finished_at is null and a.number = o.attempts and o.wake_at > ${now}
          and a.claimed_at > ${now.subtract({ seconds: sendingLimits.lease })}
        or ${mayBeUnderWay(sql)} and a.finished_at > ${now.subtract(longestCall)})
    group by o.recipient_key
    union all
    select recipient_key, busy_until from busy_telephones
    where recipient_key = any(${recipients}) and key <> all(${own}) and busy_until > ${now}
    order by until`;
  const until = new Map(rows.map((row) => [row.recipient_key, row.until]));
  return new Telephones(calls, { until, now });
}

/**
 * Of answered calls to these telephones, the vendor is queried soon if another one waits for their end: nobody
 * may have heard of it, such as a server that was down.
 */
export async function querySoon(
  { sql }: Pick<LedgerContext, 'sql'>,
  notices: readonly Call[],
  now: Temporal.Instant,
): Promise<void> {
  const calls = notices.filter(isCall);
  if (calls.length === 0) return;
  const soon = now.add({ seconds: sendingLimits.callUnderWay });
  await sql`
    with answered as (
      select o.organization_id, o.key
      from outbox o join attempts a on a.organization_id = o.organization_id and a.key = o.key
        and a.number = o.attempts and a.number > ${attemptsElsewhere(sql)}
      where o.state = 'pending' and ${isCallIn(sql, 'o')} and o.wake_at > ${soon}
        and o.recipient_key = any(${calls.map(({ recipient_key }) => recipient_key)})
        and a.outcome = 'handed_over' and a.receipt = 'answered'
        and exists (
          select from outbox other
          where other.recipient_key = o.recipient_key and ${isCallIn(sql, 'other')}
            and other.state = 'pending' and other.key <> o.key)
      order by o.organization_id, o.key for update of o skip locked
    )
    update outbox o set wake_at = ${soon} from answered w
    where o.organization_id = w.organization_id and o.key = w.key`;
}

/** After the failure of an attempt `a`: else calls to one telephone would wake each other at once. */
const longestBackoff = (sql: Queries) => sql`
  (${[...longestBackoffs]}::integer[])[least(a.number, ${longestBackoffs.length})]
    * interval '1 second'`;

type EndedCall = Pick<Claimed, 'channel' | 'recipient_key' | 'key'>;

/**
 * Calls that waited for one that ends at `now` are due then; a second call to who did not answer, and
 * what has failed, no sooner than it is wanted. Returns how many. Their telephones are locked: who claims one of them just now waits
 * for that lock, and sees the end itself.
 */
export async function wakeCalls(
  { sql }: Pick<LedgerContext, 'sql'>,
  ended: readonly EndedCall[],
  now: Temporal.Instant,
): Promise<number> {
  const calls = ended.filter(isCall);
  if (calls.length === 0) return 0;
  const recipients = calls.map(({ recipient_key }) => recipient_key);
  const { count } = await sql`
    with waiting as (
      select o.organization_id, o.key, greatest(${now}, (
        select case when a.receipt = any(${[...calledAgain]})
            then a.receipt_at + ${sendingLimits.callAgain} * interval '1 second'
            when a.outcome = 'retry' then a.finished_at + ${longestBackoff(sql)} end
        from attempts a
        where a.organization_id = o.organization_id and a.key = o.key and a.number = o.attempts
          and a.number > ${attemptsElsewhere(sql)})) as wake_at
      from outbox o
      where o.state = 'pending' and ${isCallIn(sql, 'o')} and o.recipient_key = any(${recipients})
        and o.key <> all(${calls.map(({ key }) => key)}) and o.wake_at > ${now}
        and not exists (
          select from attempts a
          where a.organization_id = o.organization_id and a.key = o.key and a.number = o.attempts
            and a.number > ${attemptsElsewhere(sql)}
            and (a.finished_at is null or ${mayBeUnderWay(sql)}))
      order by o.organization_id, o.key for update of o skip locked
    )
    update outbox o set wake_at = w.wake_at from waiting w
    where o.organization_id = w.organization_id and o.key = w.key and o.wake_at > w.wake_at`;
  return count;
}
