import { spend } from '../effort.ts';
import { isNameless } from '../marks/nameless.ts';
import { readLine } from '../marks.ts';
import { withoutLastInstant } from './measured.ts';

/**
 * The part of a title that the messages of one problem share: without what tells its state. Nothing
 * of a title that has nothing else.
 */
export const titleWithoutState = (title: string): string => readLine(title).stem;

/** Nothing of a title that names no problem either, such as *Service Alert*: as a key it is that of all. */
export function namedTitleWithoutState(title: string): string {
  const line = readLine(withoutLastInstant(title));
  return isNameless(line) ? '' : line.stem;
}

// What follows is as the release 0.1.0 had it: what it opened has keys that were made so.

const STATE =
  'alert(?:ing)?|firing|triggered|problem|resolved|recovered|recovery|cleared?|closed|ok(?:ay)?|up|down|online|offline|warn(?:ing)?|critical|error|no ?data|failed|failure|success(?:ful)?|succeeded|passed|fixed|updated?|acknowledged|new|open(?:ed)?|info|normal|healthy|unhealthy';

const marks = [
  // [Triggered], [FIRING:2], (OK), <resolved>
  new RegExp(`^[[(<]\\s?(?:${STATE})(?:\\s?:\\s?\\d+)?\\s?[\\])>]\\s?[-:–—|]?`, 'i'),
  new RegExp(`[[(<]\\s?(?:${STATE})(?:\\s?:\\s?\\d+)?\\s?[\\])>]$`, 'i'),
  // RESOLVED:, Resolved in 7m 30s:, Updated problem:
  new RegExp(`^(?:${STATE})(?: problem| alert| in [\\dhmsd. ]{1,30})?\\s?[:|–—-](?:\\s|$)`, 'i'),
  // is down, is back up, has recovered
  new RegExp(
    `\\s(?:is|are|was|has|have|went|came)(?: been| now| back| again){0,2} (?:${STATE})\\.?$`,
    'i',
  ),
  // But the end of a name is none: sign-up, nightly-error.
  new RegExp(`(?:\\s-|\\s?[:|–—])\\s?(?:${STATE})\\.?$`, 'i'),
  /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\u200d)+/u,
  /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\u200d)+$/u,
];

const LONGEST = 500;
const MOST_MARKS = 8;
const ROUND_WORK = 50;

/** As stemOf was in 0.1.0; the title itself if nothing else is left. */
export function formerTitleWithoutState(title: string): string {
  let stem = title.slice(0, LONGEST).trim();
  for (let round = 0; round < MOST_MARKS; round += 1) {
    spend(ROUND_WORK + stem.length);
    const shorter = marks.reduce((text, mark) => text.replace(mark, '').trim(), stem);
    if (shorter === stem) break;
    stem = shorter;
  }
  return stem === '' ? title.trim() : stem;
}
