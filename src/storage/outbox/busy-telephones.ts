// Telephones in a call that reads out one incident after another: that its first page was answered does
// not end it.
import type { AttemptKey } from '../../engine/ports/sending.ts';
import type { Queries } from '../database/database.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { attemptsElsewhere } from './handed-over.ts';
import { lockTelephones, wakeCalls } from './telephone.ts';

type Call = {
  readonly channel: string;
  readonly recipient_key: string;
  readonly key: string;
  /** Its end was reported. */
  readonly isOver: boolean;
};

type Context = Pick<LedgerContext, 'sql'>;

/**
 * Nothing else calls the telephone of this call until then, unless its end was reported. Returns
 * whether calls wait for it.
 */
export async function keepBusy(
  context: Context,
  call: AttemptKey,
  until: Temporal.Instant,
): Promise<boolean> {
  const { sql } = context;
  const locked = await lockCall(context, call);
  if (locked === null || locked.isOver) return false;
  const { organization_id, key, attempt } = call;
  await sql`
    insert into busy_telephones (recipient_key, organization_id, key, number, busy_until)
    values (${locked.recipient_key}, ${organization_id}, ${key}, ${attempt}, ${until})
    on conflict (recipient_key) do update
      set organization_id = excluded.organization_id, key = excluded.key,
        number = excluded.number, busy_until = excluded.busy_until`;
  return (await wakeCalls(context, [locked], until)) > 0;
}

/** The call has ended. Returns whether calls are due that waited for it. */
export async function endBusy(
  context: Context,
  call: AttemptKey,
  now: Temporal.Instant,
): Promise<boolean> {
  const { sql } = context;
  const locked = await lockCall(context, call);
  if (locked === null) return false;
  const ended = await sql`
    delete from busy_telephones
    where recipient_key = ${locked.recipient_key} and organization_id = ${call.organization_id}
      and key = ${call.key} and number = ${call.attempt}`;
  return ended.count > 0 && (await wakeCalls(context, [locked], now)) > 0;
}

/** Null: its notice goes on at another contact, or is removed. */
async function lockCall(
  context: Context,
  { organization_id, key, attempt }: AttemptKey,
): Promise<Call | null> {
  const { sql } = context;
  const read = async () => {
    const [row] = await sql<Call[]>`
      select o.channel, o.recipient_key, o.key, a.call_seconds is not null as "isOver"
      from outbox o join attempts a on a.organization_id = o.organization_id and a.key = o.key
      where o.organization_id = ${organization_id} and o.key = ${key} and a.number = ${attempt}
        and a.number > ${attemptsElsewhere(sql)}`;
    return row ?? null;
  };
  const call = await read();
  if (call === null) return null;
  await lockTelephones(context, [call]);
  // Its end may have been reported before the telephone was locked.
  return read();
}

const removedAtOnce = 1_000;

/** Those whose end was never reported. */
export async function removeBusy(sql: Queries, now: Temporal.Instant): Promise<number> {
  const removed = await sql`
    delete from busy_telephones where recipient_key in (
      select recipient_key from busy_telephones
      where busy_until < ${now} order by busy_until limit ${removedAtOnce})
      -- One may be kept busy meanwhile.
      and busy_until < ${now}`;
  return removed.count;
}
