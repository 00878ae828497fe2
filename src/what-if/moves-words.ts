// Who is on call instead of whom, in sentences.
import type { Change } from '../oncall/revisions/moves.ts';
import { nameOf, type People, shortTime } from './coverage-words.ts';

/** As many are written out. */
const NAMED = 3;

/** The person, or nobody. */
export const personText = (id: string | null | undefined, people: People): string =>
  id == null ? 'nobody' : nameOf(id, people);

/** `from 2026-03-09T09:00+01:00 to 2026-03-16T09:00+01:00, Grace instead of Ada; and 2 more` */
export function movesText(
  moves: readonly Change[],
  { timezone, people }: { readonly timezone: string; readonly people: People },
): string {
  const texts = moves.slice(0, NAMED).map(({ start, end, before, after }) => {
    const until = end === null ? ' on' : ` to ${shortTime(end, timezone)}`;
    const [was, is] = [before, after].map((id) => personText(id, people));
    return `from ${shortTime(start, timezone)}${until}, ${is} instead of ${was}`;
  });
  const more = moves.length - texts.length;
  return [...texts, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

export const onCallText = (before: string, after: string): string =>
  `On call now: ${before}. After this change: ${after}.`;
