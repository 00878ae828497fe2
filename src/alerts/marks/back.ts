// Marks behind a line: is DOWN, - OK, (resolved). They are weaker signs of an end.
import { senseOf } from '../words.ts';
import {
  type Mark,
  MOST_MARKS,
  MOST_WORDS,
  markOfBracket,
  PICTURES,
  REACH,
  stateOf,
  wordsOf,
} from './words-of-mark.ts';

const TRAILING_PICTURES = new RegExp(`(?:${PICTURES}|\\s)+$`, 'u');

type Back = { readonly rest: string; readonly signs: readonly Mark[] };

export function backOf(line: string): Back {
  let rest = line.trimEnd();
  const signs: Mark[] = [];
  for (let count = 0; count < MOST_MARKS; count += 1) {
    const next = backMark(rest);
    if (next === undefined || !/[\p{L}\p{N}]/u.test(next.rest)) break;
    signs.push(...next.signs);
    rest = next.rest.trimEnd();
  }
  return { rest, signs };
}

const BACK_BRACKETS = [
  /\s?\[([^[\]]{1,60})\]$/u,
  /\s?\(([^()]{1,60})\)$/u,
  /\s?<([^<>]{1,60})>$/u,
  /\s?【([^【】]{1,60})】$/u,
];

/** is DOWN since 11/28/2026 01:00, is UP after 5m of downtime. */
const WHEN =
  /\s(?:since|after|at|for|seit|nach|depuis|après|desde|dopo|da)\s(?:about )?\d[\d:./ a-zA-Z,()+-]{0,60}$/u;

function backMark(line: string): Back | undefined {
  return backMarkOf(line) ?? (WHEN.test(line) ? backMarkOf(line.replace(WHEN, '')) : undefined);
}

function backMarkOf(line: string): Back | undefined {
  const pictures = TRAILING_PICTURES.exec(line);
  if (pictures !== null) return { rest: line.slice(0, pictures.index), signs: [] };
  const from = Math.max(0, line.length - REACH);
  const [before, end] = [line.slice(0, from), line.slice(from)];
  for (const form of BACK_BRACKETS) {
    const match = form.exec(end);
    const mark = match === null ? undefined : markOfBracket(match[1] ?? '');
    if (match !== null && mark !== undefined)
      return { rest: before + end.slice(0, match.index), signs: [mark] };
  }
  const shorter = separated(end) ?? predicate(end);
  return shorter === undefined ? undefined : { ...shorter, rest: before + shorter.rest };
}

// web - OK, web: UP, web | DOWN. But the end of a name is none: sign-up, nightly-error.
const SEPARATED =
  /^(.*\S)(?:\s[–—-]{1,2}\s?|\s?[:：|]\s?|\s?(?:->|=>|→|⇒)\s?)([^:：|]{1,60}?)[.!]*$/u;

function separated(end: string): Back | undefined {
  const [, rest, tail = ''] = SEPARATED.exec(end) ?? [];
  const mark = rest === undefined ? undefined : stateOf(wordsOf(tail));
  if (rest === undefined || mark === undefined) return undefined;
  return { rest, signs: [mark] };
}

/** web is DOWN, web is back up again, web has recovered, host web recovered. */
function predicate(end: string): Back | undefined {
  const words = [...end.matchAll(/\S+/gu)];
  const first = Math.max(1, words.length - MOST_WORDS);
  for (let at = first; at < words.length; at += 1) {
    const word = words[at]?.[0] ?? '';
    const tail = wordsOf(end.slice(words[at]?.index ?? 0));
    const isVerb = senseOf(word) === 'verb';
    if (!isVerb && !(isParticiple(word) || isParticiple(tail.slice(0, 3).join(' ')))) continue;
    const mark = stateOf(isVerb ? tail.slice(1) : tail);
    if (isDenied(words.slice(0, at).map(([one]) => one))) return undefined;
    if (mark !== undefined && (isVerb || mark === 'end'))
      return { rest: end.slice(0, words[at]?.index), signs: [mark] };
  }
  return undefined;
}

/** has not been resolved, could not be recovered */
export const isDenied = (before: readonly string[]): boolean =>
  before.slice(-4).some((word) => senseOf(word) === 'denial' || /n['’]t$/i.test(word));

/** Words that say by themselves that something is over. */
export const isParticiple = (word: string): boolean =>
  /^(?:recovered|resolved|restored|cleared|back (?:online|up|to normal)|behoben|wiederhergestellt|rétablie?|résolue?|resuelt[oa]|recuperad[oa]|risolt[oa]|ripristinat[oa]|opgelost|hersteld|восстановлен[оа]?|устранен[оа]?)[.!]*$/iu.test(
    word,
  );
