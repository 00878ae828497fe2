import { versioned } from '../../resources/declaration/stored-document.ts';
import type { ShiftIntent, ShiftNoticeKind } from '../../shifts/notice.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { json } from '../records/rows.ts';
import { recipientKeyOf } from './recipient-key.ts';

/** After every notice of an incident. At a handoff the end goes before the start. */
export const shiftNoticeRanks: Readonly<Record<ShiftNoticeKind, number>> = {
  shift_end: 3,
  shift_start: 4,
  shift_change: 5,
};

type Writing = Pick<LedgerContext, 'sql' | 'ids' | 'secrets'>;
type OwnIntent = { readonly organization_id: string; readonly intent: ShiftIntent };

/** In the order in which they are to leave. One that is known by its key is not written again. */
export async function insertShiftNotices(
  context: Writing,
  notices: readonly OwnIntent[],
  now: Temporal.Instant,
): Promise<void> {
  const { sql } = context;
  if (notices.length === 0) return;
  const rows = notices.map((notice) => rowOf(context, notice));
  await sql`
    insert into outbox (organization_id, key, kind, channel, recipient_key, notice, user_id, rank, ordering_key,
      delivery_id, sequence, state, reason, cycle, step, attempts, created_at, wake_at, finished_at)
    select organization_id, key, kind, channel, recipient_key, notice, user_id, rank, ordering_key, delivery_id,
      nextval('outbox_sequence'), case when reason is null then 'pending' else 'cancelled' end,
      reason, 0, 0, 0, ${now}::timestamptz, case when reason is null then ${now}::timestamptz end,
      case when reason is not null then ${now}::timestamptz end
    from json_populate_recordset(null::outbox, ${json(sql, rows)})
    on conflict (organization_id, key) do nothing`;
}

function rowOf(context: Writing, { organization_id, intent }: OwnIntent) {
  const { key, kind, channel, address, user_id, recipient, mention, why, skipped, story } = intent;
  const recipient_key = recipientKeyOf(context, { organization_id, channel, address });
  return {
    organization_id,
    key,
    kind,
    channel,
    recipient_key,
    user_id,
    reason: skipped,
    notice: versioned({ address, recipient, mention, why, story }),
    rank: shiftNoticeRanks[kind],
    delivery_id: channel === 'webhook' ? context.ids.next() : null,
    // What changed may be told at any time.
    ordering_key: kind === 'shift_change' ? null : `${recipient_key} ${story.schedule.id}`,
  };
}
