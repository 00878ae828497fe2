// Whether open incidents go on. Their JSON is parsed here, one by one: a cast in SQL would fail
// the audit of all for one of them. The times are put together anew, not as the engine does it.

import { failureOf } from '../../engine/log.ts';
import { forGood } from '../../incidents/incident.ts';
import { parseEscalation, parseSteps } from '../ledger/stored-incident.ts';

type SelectedRow = Readonly<Record<string, unknown>>;

/** What the check selects. */
type OpenRow = {
  readonly organization_id: string;
  readonly incident_id: string;
  readonly number: number;
  readonly status: string;
  readonly wake_at: Temporal.Instant | null;
  readonly muted_until: Temporal.Instant | null;
  readonly escalation: unknown;
  readonly steps: unknown;
};

/**
 * Yields incidents that are not due at their next timer, that lack a step timer, or that cannot be
 * read.
 */
export async function* halted(rows: AsyncIterable<SelectedRow>): AsyncGenerator<SelectedRow> {
  for await (const row of rows) {
    const { escalation, steps, muted_until, ...own } = row as OpenRow;
    try {
      const timers = timersOf(row as OpenRow);
      if (timers.isHalted) yield { ...own, due_at: timers.due };
    } catch (error) {
      yield { ...own, text: failureOf(error) };
    }
  }
}

function timersOf({ status, wake_at, muted_until, ...row }: OpenRow) {
  const escalation = parseEscalation(row.escalation);
  const { stepAt, stepRemainingMs, takenBy = null, nextStep } = escalation;
  const { ackTimeoutAt, resolveAt, expiresAt, quietAt = null } = escalation;
  const muteEnd = muted_until?.equals(forGood) ? null : muted_until;
  const awaited = status === 'triggered' && muted_until === null ? takenBy : null;
  const [due = null] = [stepAt, awaited, ackTimeoutAt, resolveAt, expiresAt, quietAt, muteEnd]
    .filter((at) => at !== null)
    .sort(Temporal.Instant.compare);
  // While it is muted, the time to the next step is kept instead.
  const hasStepTimer = (muted_until === null ? stepAt : stepRemainingMs) !== null;
  const isToBePaged =
    nextStep < parseSteps(row.steps).length || (escalation.repeats && escalation.repeatsLeft > 0);
  const isLate = due === null || wake_at === null ? due !== wake_at : !isStoredAs(due, wake_at);
  return { due, isHalted: isLate || (status === 'triggered' && isToBePaged && !hasStepTimer) };
}

/** A release before this one kept nanoseconds in the JSON, which the column rounds. */
const isStoredAs = (at: Temporal.Instant, stored: Temporal.Instant): boolean => {
  const apart = at.epochNanoseconds - stored.epochNanoseconds;
  return apart > -1_000n && apart < 1_000n;
};
