// A sentence that says an end within: web is back online after 5 minutes.
import { isTrouble, senseOf } from '../senses.ts';
import { isDenied, isVerbal } from './back.ts';
import { opposed } from './opposites.ts';
import { isParticiple, lettersOf, REACH } from './words-of-mark.ts';

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
  return [...(isMarked ? [] : leading(text)), ...opposed(text, line), ...beforeState(text)];
}

function beforeState(text: string): readonly string[] {
  const words = [...text.matchAll(/[^\s.!;:,()[\]|]+/gu)];
  for (let at = 1; at < words.length; at += 1) {
    const [word, next] = [words[at], words[at + 1]];
    if (word === undefined) continue;
    const isVerb = isVerbal(word[0]);
    if (!isVerb && !isParticiple(word[0])) continue;
    // web was OK
    if (senseOf(word[0]) === 'past' && !words.slice(at).some(([one]) => isParticiple(one)))
      continue;
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
