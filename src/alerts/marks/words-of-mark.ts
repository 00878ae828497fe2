// The words of a mark: what they mean together.
import { type Sense, senseOf } from '../words.ts';

/** What a mark of state says. A `yielding` one gives way to an end next to it. */
export type Mark = 'end' | 'trouble' | 'yielding' | 'acknowledge' | 'maybe end';
export const yields = (mark: Mark): boolean => mark === 'yielding';

export const MOST_MARKS = 8;

/** Marks stand within so many characters of either end. */
export const REACH = 200;
export const PICTURES = '(?:\\p{Extended_Pictographic}|\\p{Emoji_Modifier}|\\ufe0f|\\u200d)';

export const joined = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join(' ');

export const wordsOf = (text: string): readonly string[] =>
  text
    .replace(new RegExp(PICTURES, 'gu'), ' ')
    .split(/[\s,;!."'“”„«»*]+/u)
    .filter((word) => word !== '');

/** #7, P-123 */
const IDENTIFIER = /^(?:#\d{1,12}|[A-Z]{1,6}-\d{1,12})$/;

const UNITS =
  /^(?:\d+(?:[.,]\d+)?(?:(?:ms|s|m|h|d|w|min|mins|sec|secs)\d*)*[smhdw]?|\d{1,2}:\d{2}(?::\d{2})?|minutes?|mins?|hours?|hrs?|days?|seconds?|secs?|weeks?|minuten|stunden?|tagen?|sekunden|and|und|et|y|e|一|m|h|d|s)$/i;

/** What each of the words means; nothing if one has no meaning here. Longer terms come first. */
export function sensesOf(words: readonly string[]): readonly Sense[] | undefined {
  const senses: Sense[] = [];
  for (let at = 0; at < words.length; ) {
    const isSpan = senses.includes('span');
    const length = [3, 2, 1].find((count) => {
      if (at + count > words.length) return false;
      return senseOf(words.slice(at, at + count).join(' ')) !== undefined;
    });
    const word = words[at] ?? '';
    if (length !== undefined) {
      const sense = senseOf(words.slice(at, at + length).join(' '));
      if (sense !== undefined) senses.push(sense);
      at += length;
    } else if ((isSpan && UNITS.test(word)) || IDENTIFIER.test(word)) {
      senses.push('filler');
      at += 1;
    } else return undefined;
  }
  return senses;
}

const COUNTS = /^[#x]?\d{1,6}$/;

/** FIRING:2, RESOLVED:1; ALERT - Warning; 🔴 Down. */
export function markOfBracket(content: string): Mark | undefined {
  // [FIRING:0, RESOLVED:2]
  const counted = content.replace(/\b0 [\p{L}]+|[\p{L}]+\s?[:=]\s?0\b/gu, ' ');
  const words = wordsOf(counted.replace(/[,;/|:=()–—]|\s-\s|->/gu, ' '));
  const senses = sensesOf(words.filter((word) => !COUNTS.test(word)));
  if (senses === undefined) return undefined;
  const has = (sense: Sense) => senses.includes(sense);
  // [Host DOWN]; but [Database error] may be the name of a team.
  if (has('kind') && !has('end') && !has('trouble')) return undefined;
  if (has('end') && isOfName(words)) return undefined;
  if (has('denial')) return has('end') || has('maybe') || has('well') ? 'trouble' : undefined;
  if (has('trouble') || has('opening')) return 'trouble';
  if (has('end')) return 'end';
  if (has('maybe')) return 'maybe end';
  if (has('acknowledge')) return 'acknowledge';
  return has('noun') || has('grade') || has('rank') ? 'yielding' : undefined;
}

/** What of a mark tells its problem from others. */
export const kindsIn = (words: readonly string[]): readonly string[] =>
  words.filter((word) => IDENTIFIER.test(word) || senseOf(word) === 'kind');

/** OK check, Recovery service: what stands before a kind may be its name. */
export const isOfName = (words: readonly string[]): boolean =>
  words.some(
    (word, index) =>
      /^(?:ok|okay|up|recovery|success|successful|normal|clear|close)$/i.test(word) &&
      senseOf(words[index + 1] ?? '') === 'kind',
  );

/** At most so many words behind a verb. */
export const MOST_WORDS = 8;

/** What the words of a predicate say of the state, if they say nothing else. */
export function stateOf(words: readonly string[]): Mark | undefined {
  const senses = words.length > MOST_WORDS ? undefined : sensesOf(words);
  if (senses === undefined || senses.includes('kind') || senses.includes('rank')) return undefined;
  const has = (sense: Sense) => senses.includes(sense);
  const [isBad, isOver] = [has('trouble'), (['end', 'maybe', 'well'] as const).some(has)];
  if (has('denial') || (isBad && isOver)) return undefined;
  if (isOver) return 'end';
  return isBad || has('grade') || has('noun') ? 'trouble' : undefined;
}

export const lettersOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? []).map((word) => word.replace('’', "'"));
