import type { AttemptResult } from '../../engine/ports/sending.ts';
import { sendingLimits } from '../../limits/sending.ts';
import type { Rows, Table } from './table.ts';

/** A message that stands somewhere and can be changed. */
export type PostedRow = {
  readonly incidentId: string;
  readonly recipientKey: string;
  readonly shows: string | null;
  readonly wakeAt: Temporal.Instant;
  /** How often its incident has changed. */
  readonly changes: number;
};

type Posts = {
  readonly posted: Table<PostedRow>;
  put<K, V>(rows: Rows<K, V>, key: K, value: V): void;
};

/** Looked at once, for its incident may have changed while it was sent. */
export function recordPosted(
  ledger: Posts,
  { claimed, posted = [] }: AttemptResult,
  incidentId: string,
): void {
  const { organization_id, recipient_key: recipientKey } = claimed;
  for (const { connectionId, place, messageId, shows, wakeAt } of posted) {
    const key = `${organization_id} ${connectionId} ${place} ${messageId}`;
    const before = ledger.posted.get(key);
    const changes = before === undefined ? 0 : before.changes + 1;
    ledger.put(ledger.posted, key, { incidentId, recipientKey, shows, wakeAt, changes });
  }
}

/** What changes soon after is shown by the same edit. */
export function wakePosted(ledger: Posts, incidentId: string, now: Temporal.Instant): void {
  const soon = now.add({ milliseconds: sendingLimits.editDelay });
  for (const [key, row] of ledger.posted.groupEntries(incidentId)) {
    const isSooner = Temporal.Instant.compare(row.wakeAt, soon) < 0;
    ledger.put(ledger.posted, key, {
      ...row,
      wakeAt: isSooner ? row.wakeAt : soon,
      changes: row.changes + 1,
    });
  }
}
