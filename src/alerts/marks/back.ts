// Marks behind a line: is DOWN, - OK, (resolved). They are weaker signs of an end.
import { senseOf } from '../senses.ts';
import { type Mark, MOST_WORDS, markOf } from './meaning.ts';
import { COMPOUND, isParticiple, MOST_MARKS, PICTURES, REACH, wordsOf } from './words-of-mark.ts';

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

const CLOCK = String.raw`\d{1,2}:\d{2}(?::\d{2})?`;
const SINCE = 'since|after|at|as of|for|seit|um|nach|depuis|après|desde|dopo|da';

/** is DOWN since 11/28/2026 01:00, is UP after 5m of downtime, is down @ 10:00, is up [10:05]. */
const WHEN = new RegExp(
  String.raw`\s(?:(?:(?:${SINCE})\s(?:about )?|@\s?)\d[\d:./ a-zA-Z,()+-]{0,60}|[[(](?:(?:${SINCE}|@)\s?)?(?:\d{4}-\d{2}-\d{2}[ T])?${CLOCK}[^\])]{0,20}[\])])$`,
  'u',
);

/** What is said of how it was found, and never names a problem: (timeout), - HTTP 503, (5m). */
const REASON =
  /(?:\s[–—-]\s|,\s|\s?[([])(?:HTTP(?: status)?(?: code)?:? ?\d{3}|\d{3} ?[A-Z]|(?:request |connection )?time(?:d )?-?out|connection (?:refused|reset|closed)|no route to host|(?:duration|after|downtime):? ?\d|\d{1,4} ?(?:ms|s|m|h|min)\b)[^[\]()]{0,60}[\])]?$/iu;

function backMark(line: string): Back | undefined {
  const marked = backMarkOf(line);
  if (marked !== undefined) return marked;
  const shorter = line.replace(WHEN, '').replace(REASON, '');
  return shorter === line ? undefined : backMarkOf(shorter);
}

/** Without why and when, of a line that says in front what it is. */
export const withoutReason = (line: string): string => {
  const shorter = line.replace(REASON, '');
  return /[\p{L}\p{N}]/u.test(shorter) ? shorter : line;
};

function backMarkOf(line: string): Back | undefined {
  const pictures = TRAILING_PICTURES.exec(line);
  if (pictures !== null) return { rest: line.slice(0, pictures.index), signs: [] };
  const from = Math.max(0, line.length - REACH);
  const [before, end] = [line.slice(0, from), line.slice(from)];
  for (const form of BACK_BRACKETS) {
    const match = form.exec(end);
    const mark = match === null ? undefined : markOf(match[1] ?? '', 'bracket');
    if (match !== null && mark !== undefined)
      return { rest: before + end.slice(0, match.index), signs: [mark] };
  }
  const shorter = separated(end) ?? predicate(end) ?? detailed(end) ?? bare(end);
  return shorter === undefined ? undefined : { ...shorter, rest: before + shorter.rest };
}

// web - OK, web: UP, web | DOWN. But the end of a name is none: sign-up, nightly-error; nor is 10:00.
const SEPARATED =
  /^(.*\S)(?:\s[–—-]{1,2}\s?|\s?(?:(?<!\d)[:：|]|[:：|](?!\d))\s?|\s?(?:->|=>|→|⇒)\s?)([^:：|]{1,60}?)[.!]*$/u;

function separated(end: string): Back | undefined {
  const [, rest, tail = ''] = SEPARATED.exec(end) ?? [];
  const mark = rest === undefined ? undefined : markBehind(tail);
  if (rest === undefined || mark === undefined) return undefined;
  return { rest, signs: [mark] };
}

const markBehind = (tail: string): Mark | undefined =>
  wordsOf(tail).length > MOST_WORDS ? undefined : markOf(tail, 'behind');

/** web is DOWN, web is back up again, web has recovered, host web recovered. */
function predicate(end: string): Back | undefined {
  const words = [...end.matchAll(/\S+/gu)];
  const first = Math.max(1, words.length - MOST_WORDS);
  for (let at = first; at < words.length; at += 1) {
    const tail = end.slice(words[at]?.index ?? 0);
    const word = words[at]?.[0] ?? '';
    const isVerb = isVerbal(word) || COMPOUND.test(word);
    if (!isVerb && !isParticipial(tail)) continue;
    const mark = markBehind(tail);
    if (isDenied(words.slice(0, at).map(([one]) => one))) return undefined;
    if (mark !== undefined && (isVerb || mark === 'end'))
      return { rest: end.slice(0, words[at]?.index), signs: [mark] };
  }
  return undefined;
}

/** In scripts without spaces the verb may be one word with its state: が復旧しました. */
export const isVerbal = (word: string): boolean =>
  ['verb', 'past'].includes(senseOf(wordsOf(word)[0] ?? '') ?? '');

const isParticipial = (tail: string): boolean => {
  const words = wordsOf(tail).slice(0, 3);
  return [1, 2, 3].some((count) => isParticiple(words.slice(0, count).join(' ')));
};

/** A verb and its state take no more characters. */
const MOST_STATE = 60;
const DETAIL = /(?:[.,;:!]\s|\s?[([|]|\s[–—-]{1,2}\s)/u;

/** web is DOWN: connection refused. But of *Link is down: port 7* what follows is the name. */
function detailed(end: string): Back | undefined {
  const verbs = [...end.matchAll(/\S+/gu)].filter(
    ({ 0: word, index }) => index > 0 && isVerbal(word),
  );
  for (const word of verbs.slice(0, MOST_WORDS)) {
    const [before, tail] = [end.slice(0, word.index), end.slice(word.index)];
    const cut = tail.search(DETAIL);
    const mark = cut < 0 || cut > MOST_STATE ? undefined : markBehind(tail.slice(0, cut));
    if (mark === undefined) continue;
    const subject = before.match(/[^\s.,;:!?]+/gu) ?? [];
    if (isDenied(subject) || subject.every(isCommon)) return undefined;
    return { rest: before, signs: [mark] };
  }
  return undefined;
}

/** What many things are called. */
const isCommon = (word: string): boolean =>
  ['kind', 'noun', 'filler', 'rank', 'grade'].includes(senseOf(word) ?? '') ||
  /^(?:an?|this|that|your|our|one|some|app|application|link|connection|system|process|container|line|network|router|switch|gateway|printer|camera|machine|vm|volume|drive|filesystem|share|page|api|agent|probe|battery|ups|tunnel|vpn|bgp|neighbou?r|peer|unit|component|module|room|door|item|object|resource|test|script|cron|replication|replica|store|shop|stream|channel|partition|topic|lambda|function|program|daemon|client|user|account|customer|location|source|target)s?$/i.test(
    word,
  );

const BARE = /^(.*\S)\s(OK|UP|DOWN|CRITICAL|CRIT|WARNING|WARN|UNKNOWN|UNREACHABLE)[.!]?$/u;

/** web/HTTP CRITICAL, in capitals, as monitors write the state of a check. */
function bare(end: string): Back | undefined {
  const [, rest = '', state = ''] = BARE.exec(end) ?? [];
  const last = wordsOf(rest).at(-1) ?? '';
  if (state === '' || isDenied([last]) || /\b(?:OK|UP|DOWN|CRITICAL|WARNING)\b/.test(rest))
    return undefined;
  if (isVerbal(last) || /[\p{L}\p{N}]/u.test(rest) === false) return undefined;
  const mark = markOf(state, 'behind');
  return mark === undefined ? undefined : { rest, signs: [mark] };
}

/** has not been resolved, could not be recovered */
export const isDenied = (before: readonly string[]): boolean =>
  before.slice(-4).some((word) => senseOf(word) === 'denial' || /n['’]t$/i.test(word));
