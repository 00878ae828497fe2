// A sentence that says an end within: web is back online after 5 minutes.
import { isTrouble, oppositeOf, senseOf } from '../words.ts';
import { isDenied, isParticiple } from './back.ts';
import { lettersOf, REACH } from './words-of-mark.ts';

/** What may follow the state in a sentence without taking it back. */
const TAIL = /^(?:[.!;:,([|]|\s[–—([|-]|\s(?:again|now|after|since|by)\b)/u;

/** Says that it is over, whatever follows. */
const OVER = /^(?:resolved|recovered|fixed|backtonormal)$/;

/**
 * What a sentence ends that says so within: web is back online after 5 minutes; Backup of web
 * succeeded. Nothing where it denies it, or tells of trouble otherwise than in the name.
 */
export function sentenceOf(line: string, isMarked: boolean): readonly string[] {
  const text = line.slice(0, REACH * 2);
  return [...opposed(text, line), ...beforeState(text), ...(isMarked ? [] : leading(text))];
}

function beforeState(text: string): readonly string[] {
  const words = [...text.matchAll(/[^\s.!;:,()[\]|]+/gu)];
  for (let at = 1; at < words.length; at += 1) {
    const [word, next] = [words[at], words[at + 1]];
    if (word === undefined) continue;
    const isVerb = senseOf(word[0]) === 'verb';
    if (!isVerb && !isParticiple(word[0])) continue;
    if (isDenied(words.slice(0, at).map(([one]) => one))) return [];
    // is (now|back|been|again)* STATE
    let to = isVerb ? at + 1 : at;
    while (to < words.length && ['filler', 'verb'].includes(senseOf(words[to]?.[0] ?? '') ?? ''))
      to += 1;
    const state = words[to];
    if (next === undefined && isVerb) continue;
    if (state === undefined) continue;
    const sense = senseOf(state[0]);
    if (sense !== 'end' && sense !== 'maybe' && sense !== 'well') continue;
    const rest = text.slice(state.index + state[0].length);
    if (lettersOf(rest).some(isTrouble)) return [];
    if (OVER.test(state[0].toLowerCase()) || TAIL.test(rest))
      return [text.slice(0, word.index).trim()].filter((one) => one !== '');
  }
  return [];
}

/** OK web, Recovered web: without a separator it may be a part of the name. */
function leading(text: string): readonly string[] {
  const [whole, word = ''] = /^([\p{L}]{2,20})\s+/u.exec(text) ?? [];
  if (whole === undefined || !/^(?:ok|resolved|recovered)$/i.test(word)) return [];
  const rest = text.slice(whole.length);
  return lettersOf(rest).some(isTrouble) ? [] : [rest];
}

const SUCCESSFULLY = /\b(?:(?:was|has) )?(?:completed|finished|ended|ran) successfully\b/i;

/** Of a sentence with one word of an end that has one opposite: that of its problem. */
function opposed(text: string, line: string): readonly string[] {
  if (SUCCESSFULLY.test(text)) return [line.replace(SUCCESSFULLY, 'failed')];
  const words = [...text.matchAll(/[\p{L}'’]+/gu)];
  const matches = words.filter((word) => oppositeOf(word[0]) !== undefined);
  const [only] = matches;
  if (only === undefined || matches.length > 1) return [];
  if (words.some((word) => isDenial(word[0]))) return [];
  const [start, end] = [only.index, only.index + only[0].length];
  // Sign-up, backed up to, up 300%.
  if (
    /[-\w]$/.test(text.slice(0, start)) ||
    /^(?:[-\w]|\s(?:to|by|for|from|and|but|\d))/i.test(text.slice(end))
  )
    return [];
  return [line.slice(0, start) + likeCase(oppositeOf(only[0]) ?? '', only[0]) + line.slice(end)];
}

const isDenial = (word: string): boolean =>
  /^(?:but|however|although)$/i.test(word) ||
  senseOf(word) === 'denial' ||
  senseOf(word) === 'trouble';

function likeCase(word: string, like: string): string {
  if (like === like.toUpperCase()) return word.toUpperCase();
  return /^\p{Lu}/u.test(like) ? word[0]?.toUpperCase() + word.slice(1) : word;
}
