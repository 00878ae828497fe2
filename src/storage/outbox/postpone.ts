// Notices that cannot be read or handed out wait, each for itself: whoever mends the row, or the
// program, finds them still there. After a day they are given up.
import { postponeMinutes } from '../../engine/faults.ts';
import { failureOf } from '../../engine/log.ts';
import type { OutboxKey, UnreadableNotice } from '../../engine/ports/sending.ts';
import { type Entry, minutesAfter } from '../../incidents/incident.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { insertTimeline } from '../ledger/timeline.ts';
import { json } from '../records/rows.ts';

const EXPIRES_AFTER = { hours: 24 } as const;

type BrokenNoticeRow = UnreadableNotice & {
  readonly reason: string | null;
  readonly created_at: Temporal.Instant;
};
export type BrokenNotice = { readonly row: BrokenNoticeRow; readonly error: unknown };

const reasonOf = ({ error }: BrokenNotice): string =>
  `could not be sent, or recorded as sent: ${failureOf(error)}`;

/** Of those the ones that were not known to be broken. */
export const newlyOf = (broken: readonly BrokenNotice[]): readonly BrokenNotice[] =>
  broken.filter((one) => one.row.reason !== reasonOf(one));

const isExpired = ({ row }: BrokenNotice, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(row.created_at, now.subtract(EXPIRES_AFTER)) < 0;

export async function postponeNotices(
  { sql, faults }: LedgerContext,
  broken: readonly BrokenNotice[],
  now: Temporal.Instant,
): Promise<void> {
  if (broken.length === 0) return;
  const rows = broken.map((one) => {
    const end = isExpired(one, now)
      ? { state: 'cancelled', wake_at: null, finished_at: now }
      : { state: 'pending', wake_at: minutesAfter(now, postponeMinutes), finished_at: null };
    const { organization_id, key } = one.row;
    return { organization_id, key, reason: reasonOf(one), ...end };
  });
  await sql`
    update outbox o
    set reason = r.reason, state = r.state, wake_at = r.wake_at, finished_at = r.finished_at,
      -- Those behind it under its ordering key wait no longer than for a first try that failed.
      tried_at = coalesce(o.tried_at, ${now})
    from json_to_recordset(${json(sql, rows)}) as r(organization_id text, key text, reason text,
      state text, wake_at timestamptz, finished_at timestamptz)
    where o.organization_id = r.organization_id and o.key = r.key`;
  for (const { row, error } of broken) faults({ of: 'notice', id: row.key, error });
}

/**
 * Their timeline entries: one when a notice is postponed for the first time, one when it is given
 * up.
 */
export function entriesOf(
  broken: readonly BrokenNotice[],
  now: Temporal.Instant,
): readonly (Entry & { readonly organization_id: string })[] {
  const newly = new Set(newlyOf(broken));
  return broken.flatMap((one) => {
    const { incident_id, organization_id, channel, key } = one.row;
    const isOver = isExpired(one, now);
    if (incident_id === null || !(newly.has(one) || isOver)) return [];
    const text = `A notice by ${channel} ${reasonOf(one)}; it ${isOver ? 'was abandoned' : 'waits'}`;
    const entry = { incident_id, type: 'undecided', text, actor: null, details: { key } };
    return [{ organization_id, ...entry }];
  });
}

/** One of which the engine found that nothing can be done with it. */
export async function postponeNotice(
  context: LedgerContext,
  { organization_id, key }: OutboxKey,
  { error, now }: { readonly error: unknown; readonly now: Temporal.Instant },
): Promise<UnreadableNotice | null> {
  const rows = await context.sql<BrokenNoticeRow[]>`
    select organization_id, key, incident_id, kind, channel, reason, created_at from outbox
    where organization_id = ${organization_id} and key = ${key} and state = 'pending' for update`;
  const broken = rows.map((row) => ({ row, error }));
  await postponeNotices(context, broken, now);
  await insertTimeline(context, { entries: entriesOf(broken, now), at: now });
  return newlyOf(broken)[0]?.row ?? null;
}
