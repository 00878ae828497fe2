// What became of a notice and of each attempt to send it, as it is told in a word or two.
import type { Attempt, Notice } from '../story.ts';

export type Fate = Notice['state'] | 'awaited' | 'unconfirmed';

/** What is sent may not be confirmed, and what is pending may be with a vendor. */
export function fateOf({ state, awaits_receipt, attempts }: Notice): Fate {
  if (state === 'pending' && awaits_receipt) return 'awaited';
  const wasConfirmed = attempts.some(({ outcome }) => outcome === 'delivered');
  const isUnconfirmed = attempts.some(({ outcome }) => outcome === 'unconfirmed');
  return state === 'sent' && isUnconfirmed && !wasConfirmed ? 'unconfirmed' : state;
}

/** Of what was handed over, whether a receipt is awaited, came, or never came. */
export function outcomeOf(
  { outcome, receipt, number }: Attempt,
  { awaits_receipt, attempts }: Notice,
): string {
  if (outcome === null) return 'running';
  if (outcome !== 'handed_over') return outcome;
  if (awaits_receipt && number === attempts.at(-1)?.number) return 'awaited';
  return receipt ? 'reported' : 'silent';
}

/** Whether there is more to tell of its attempts than that it was sent, or was not. */
export const hasMore = ({ attempts }: Notice): boolean =>
  attempts.length > 1 ||
  attempts.some(({ answer, connection, receipt }) => Boolean(answer || connection || receipt));
