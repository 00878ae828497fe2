// Notices about an incident as the API answers them: contacts are masked for everybody.
import { isFinal } from '../../engine/sending/receipt.ts';
import { addressOf, type TriedContact } from '../../engine/sending/retry-routes.ts';
import { type Incident, isPage } from '../../incidents/incident.ts';
import { apart } from '../../incidents/recipient.ts';
import { maskedAddress } from '../../resources/masked-address.ts';
import type { AttemptRow, NoticeRow } from '../../storage/incidents/incidents.ts';
import { timeOrNull, withoutNulls } from './render.ts';

type Muting = Pick<Incident, 'muted_until'>;

export function renderNotice(row: NoticeRow, incident: Muting): Record<string, unknown> {
  const { tried, address, ...notice } = apart(row);
  return withoutNulls({
    ...notice,
    awaits_receipt: awaitsReceipt(row),
    reason: reasonOf(row, incident),
    created_at: timeOrNull(notice.created_at),
    finished_at: timeOrNull(notice.finished_at),
    tried: tried?.map(renderTried) ?? null,
    attempts: notice.attempts.map((attempt) => ({
      ...attempt,
      claimed_at: timeIn(attempt.claimed_at),
      finished_at: attempt.finished_at && timeIn(attempt.finished_at),
      contact: address && maskedAddress(addressOf(attempt.number, tried ?? [], address)),
      receipt: attempt.receipt && { ...attempt.receipt, at: timeIn(attempt.receipt.at) },
    })),
  });
}

const renderTried = ({ address, reason, isUnconfirmed: unconfirmed }: TriedContact) => ({
  contact: maskedAddress(address),
  reason,
  unconfirmed,
});

type Progress = Pick<NoticeRow, 'kind' | 'state' | 'reason'> & {
  readonly attempts: readonly Pick<AttemptRow, 'outcome' | 'reason' | 'receipt'>[];
};

/** A vendor has it, and has not said whether it arrived. */
export function awaitsReceipt({ state, attempts }: Progress): boolean {
  const last = attempts.at(-1);
  if (state !== 'pending' || last?.outcome !== 'handed_over') return false;
  return last.receipt === null || !isFinal(last.receipt);
}

/** Why it is in its state; null: the state says it all. */
export function reasonOf(notice: Progress, { muted_until }: Muting): string | null {
  const last = notice.attempts.at(-1);
  if (notice.state !== 'pending') return notice.reason;
  const isUnderWay = last?.outcome === null;
  if (isUnderWay || awaitsReceipt(notice)) return null;
  if (isPage(notice) && muted_until !== null) return 'the incident is muted';
  return notice.reason ?? last?.reason ?? last?.receipt?.reason ?? null;
}

const timeIn = (text: string) => timeOrNull(Temporal.Instant.from(text));
