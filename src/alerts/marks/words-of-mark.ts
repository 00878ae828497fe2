// The words of a mark, and what each of them means.
import { type Sense, senseOf } from '../senses.ts';

export const MOST_MARKS = 8;

/** Marks stand within so many characters of either end. */
export const REACH = 200;
export const PICTURES = '(?:\\p{Extended_Pictographic}|\\p{Emoji_Modifier}|\\ufe0f|\\u200d)';

const EVERY_PICTURE = new RegExp(PICTURES, 'gu');

export const joined = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join(' ');

export const wordsOf = (text: string): readonly string[] =>
  text
    .replace(EVERY_PICTURE, ' ')
    .split(/[\s,;!."'“”„«»*]+/u)
    .filter((word) => word !== '')
    .flatMap(withoutCompounds);

/** Scripts that are written without spaces between words. */
export const COMPOUND = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/u;
const LONGEST = 8;

/** 障害復旧 as 障害 and 復旧, if all of it is known: the longest words from the left. */
function withoutCompounds(word: string): readonly string[] {
  if (!COMPOUND.test(word) || word.length > LONGEST * 4 || senseOf(word) !== undefined)
    return [word];
  const parts: string[] = [];
  for (let rest = word; rest !== ''; ) {
    const [latin = ''] = /^[\w]+/.exec(rest) ?? [];
    const part = latin || longestIn(rest);
    if (part === undefined) return [word];
    parts.push(part);
    rest = rest.slice(part.length);
  }
  return parts;
}

function longestIn(text: string): string | undefined {
  for (let length = Math.min(LONGEST, text.length); length > 0; length -= 1) {
    const part = text.slice(0, length);
    if (senseOf(part) !== undefined) return part;
  }
  return undefined;
}

/** #7, P-123 */
const IDENTIFIER = /^(?:#\d{1,12}|[A-Z]{1,6}-\d{1,12})$/;

const UNITS =
  /^(?:\d+(?:[.,]\d+)?(?:(?:ms|s|m|h|d|w|min|mins|sec|secs)\d*)*[smhdw]?|\d{1,2}:\d{2}(?::\d{2})?|minutes?|mins?|hours?|hrs?|days?|seconds?|secs?|weeks?|minuten|stunden?|tagen?|sekunden|and|und|et|y|e|一|m|h|d|s)$/i;

/** What each of the words means; nothing if one has no meaning here. Longer terms come first. */
export function sensesOf(words: readonly string[]): readonly Sense[] | undefined {
  const senses: Sense[] = [];
  for (let at = 0; at < words.length; ) {
    const isSpan = senses.includes('span');
    // No term is longer than that.
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

/** What of a mark tells its problem from others. */
export const kindsIn = (words: readonly string[]): readonly string[] =>
  words.filter((word) => (senseOf(word) ?? (IDENTIFIER.test(word) ? 'kind' : '')) === 'kind');

/** up is UP: what a verb follows is what it speaks of. */
export const isSentence = ([subject = '', verb = '']: readonly string[]): boolean =>
  ['end', 'maybe', 'well'].includes(senseOf(subject) ?? '') &&
  ['verb', 'past'].includes(senseOf(verb) ?? '');

/** Words that say by themselves that something is over. */
export const isParticiple = (word: string): boolean =>
  /^(?:recovered|resolved|restored|cleared|back (?:online|up|to normal)|wieder (?:erreichbar|online|verfügbar)|behoben|beendet|wiederhergestellt|rétablie?|résolue?|a réussi|resuelt[oa]|recuperad[oa]|risolt[oa]|ripristinat[oa]|opgelost|hersteld|восстановлен[оа]?|устран[её]н[оа]?|снова (?:доступен|доступна)|恢复|恢復|復旧|回復|解消|해결|복구)[.!]*$/iu.test(
    word,
  );

export const lettersOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? []).map((word) => word.replace('’', "'"));
