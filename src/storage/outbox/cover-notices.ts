import { versioned } from '../../resources/declaration/stored-document.ts';
import type { CoverIntent } from '../../shifts/cover-requests.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { namedRows } from '../records/rows.ts';
import { recipientKeyOf } from './recipient-key.ts';
import { shiftNoticeRanks } from './shift-notices.ts';

type Writing = Pick<LedgerContext, 'sql' | 'secrets'>;
type Notices = { readonly organizationId: string; readonly intents: readonly CoverIntent[] };

export async function insertCoverNotices(
  context: Writing,
  { organizationId, intents }: Notices,
  now: Temporal.Instant,
): Promise<void> {
  if (intents.length === 0) return;
  const rows = intents.map((intent) => rowOf(context, { organizationId, intent, now }));
  await context.sql`insert into outbox ${namedRows(context.sql, 'outbox', rows)}`;
}

type Row = {
  readonly organizationId: string;
  readonly intent: CoverIntent;
  readonly now: Temporal.Instant;
};

function rowOf(context: Writing, { organizationId: organization_id, intent, now }: Row) {
  const { key, channel, address, user_id, recipient, why, story: cover_request } = intent;
  return {
    organization_id,
    key,
    kind: 'cover_request',
    channel,
    recipient_key: recipientKeyOf(context, { organization_id, channel, address }),
    notice: versioned({ address, recipient, mention: null, why, cover_request }),
    user_id,
    cycle: 0,
    step: 0,
    rank: shiftNoticeRanks.shift_change,
    state: 'pending',
    attempts: 0,
    created_at: now,
    wake_at: now,
  };
}
