import type { CoverStory } from './cover-requests.ts';
import type { ShiftIntent } from './notice.ts';

type Notice = Pick<ShiftIntent, 'kind' | 'story'>;

/** Why a notice that was decided earlier must not be sent now; null when it may. */
export function shiftCancellationReason(
  { kind, story }: Notice,
  now: Temporal.Instant,
): string | null {
  const end = kind === 'shift_start' ? story.shift?.end : undefined;
  return end && Temporal.Instant.compare(now, end) >= 0 ? 'the shift is over' : null;
}

/** The same of a notice that asks for cover; `isOpen` is so as long as nobody accepted or withdrew it. */
export function coverCancellationReason(
  { isOpen, story }: { readonly isOpen: boolean; readonly story: CoverStory },
  now: Temporal.Instant,
): string | null {
  if (!isOpen) return 'the cover request is no longer open';
  return Temporal.Instant.compare(now, story.end) >= 0 ? 'the shift is over' : null;
}
