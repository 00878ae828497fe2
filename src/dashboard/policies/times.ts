// When each step runs while nobody acknowledges.
import { counted } from '../../resources/plural.ts';
import type { DraftStep } from './steps.ts';

/** `90` as `1 hour 30 minutes`. */
export function spanOf(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 && counted(hours, 'hour'), (rest > 0 || hours === 0) && counted(rest, 'minute')]
    .filter(Boolean)
    .join(' ');
}

/** Minutes from the opening of the incident; null: what is typed does not say it yet. */
export function startsOf(
  steps: readonly Pick<DraftStep, 'escalate_after_minutes'>[],
  delay: unknown,
): readonly (number | null)[] {
  let next = minutesIn(delay ?? 0);
  return steps.map(({ escalate_after_minutes: wait }) => {
    const start = next;
    const minutes = minutesIn(wait);
    next = start === null || minutes === null ? null : start + minutes;
    return start;
  });
}

const minutesIn = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 ? value : null;
