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
