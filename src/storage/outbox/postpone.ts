// Writes what becomes of notices that fail alone: src/engine/sending/postponed-notice.ts decides it.
import type { OutboxKey, UnreadableNotice } from '../../engine/ports/sending.ts';
import {
  type BrokenNotice,
  type Postponement,
  postponementOf,
} from '../../engine/sending/postponed-notice.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { insertTimeline } from '../ledger/timeline.ts';
import { json } from '../records/rows.ts';

type PostponedNotice = BrokenNotice & { readonly postponement: Postponement };

export const withPostponements = (
  broken: readonly BrokenNotice[],
  now: Temporal.Instant,
): readonly PostponedNotice[] =>
  broken.map((one) => ({ ...one, postponement: postponementOf(one, now) }));

/** Those that were not known to be broken. */
export const newlyOf = (all: readonly PostponedNotice[]): readonly PostponedNotice[] =>
  all.filter(({ postponement }) => postponement.isNew);

/** For their timelines. */
export const entriesOf = (all: readonly PostponedNotice[]) =>
  all.flatMap(({ postponement: { entry } }) => (entry === null ? [] : [entry]));

export async function postponeNotices(
  { sql, faults }: LedgerContext,
  all: readonly PostponedNotice[],
  now: Temporal.Instant,
): Promise<void> {
  if (all.length === 0) return;
  const rows = all.map(({ row: { organization_id, key }, postponement: { reason, wakeAt } }) => ({
    organization_id,
    key,
    reason,
    state: wakeAt === null ? 'cancelled' : 'pending',
    wake_at: wakeAt,
    finished_at: wakeAt === null ? now : null,
  }));
  await sql`
    update outbox o
    set reason = r.reason, state = r.state, wake_at = r.wake_at, finished_at = r.finished_at,
      -- Those behind it under its ordering key wait no longer than for a first try that failed.
      tried_at = coalesce(o.tried_at, ${now})
    from json_to_recordset(${json(sql, rows)}) as r(organization_id text, key text, reason text,
      state text, wake_at timestamptz, finished_at timestamptz)
    where o.organization_id = r.organization_id and o.key = r.key`;
  for (const { row, error } of all) faults({ of: 'notice', id: row.key, error });
}

/** One of which the engine found that nothing can be done with it. */
export async function postponeNotice(
  context: LedgerContext,
  { organization_id, key }: OutboxKey,
  { error, now }: { readonly error: unknown; readonly now: Temporal.Instant },
): Promise<UnreadableNotice | null> {
  const rows = await context.sql<BrokenNotice['row'][]>`
    select organization_id, key, incident_id, kind, channel, reason, created_at from outbox
    where organization_id = ${organization_id} and key = ${key} and state = 'pending' for update`;
  const all = withPostponements(
    rows.map((row) => ({ row, error })),
    now,
  );
  await postponeNotices(context, all, now);
  await insertTimeline(context, { entries: entriesOf(all), at: now });
  return newlyOf(all)[0]?.row ?? null;
}
