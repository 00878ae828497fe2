import type { ShiftIntent } from './notice.ts';

type Notice = Pick<ShiftIntent, 'kind' | 'story'> & {
  readonly webhook: { readonly archived: boolean } | null;
};

/** Why a notice, decided earlier, must not go out now; null when it may. */
export function whyUnwantedShift(
  { kind, story, webhook }: Notice,
  now: Temporal.Instant,
): string | null {
  if (webhook?.archived) return 'the webhook is archived';
  const end = kind === 'shift_start' ? story.shift?.end : undefined;
  return end && Temporal.Instant.compare(now, end) >= 0 ? 'the shift is over' : null;
}
