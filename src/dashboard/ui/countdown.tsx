import { useSecond } from './now.ts';
import { remaining } from './remaining.ts';
import { words } from './words.ts';

/** Ticks for the eye; who listens hears minutes. */
export function Countdown({ at }: { at: string }) {
  const seconds = Math.max(0, Math.ceil((Date.parse(at) - useSecond()) / 1_000));
  return (
    <time dateTime={at}>
      <span aria-hidden="true">{words.within(remaining(seconds))}</span>
      <span className="sr-only">{words.within(words.minutes(Math.ceil(seconds / 60)))}</span>
    </time>
  );
}
