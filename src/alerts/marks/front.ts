// Marks in front of a line: [RESOLVED], OK:, UP alert:, pictures; and what stands before them.
import { withoutGateways } from '../gateways.ts';
import { isTrouble, senseOf } from '../senses.ts';
import { type Mark, markOf } from './meaning.ts';
import {
  isSentence,
  joined,
  kindsIn,
  MOST_MARKS,
  PICTURES,
  REACH,
  sensesOf,
  wordsOf,
} from './words-of-mark.ts';

const LEADING_PICTURES = new RegExp(`^(?:${PICTURES}|\\s)+`, 'u');
const SHORTCODE = /^:([a-z0-9_+-]{1,40}):\s*/;
const GOOD_PICTURES = /[✅✔🟢💚🆗👍🎉]/u;
const BAD_PICTURES = /[🔴🚨🔥❌🛑⛔🟠🟡💥🆘⚠❗🚫]/u;
const GOOD_CODES =
  /^(?:white_check_mark|heavy_check_mark|large_green_circle|green_circle|green_heart|ok|tada)$/;
const BAD_CODES =
  /^(?:fire|rotating_light|red_circle|large_red_circle|x|warning|no_entry|exclamation|boom|sos)$/;

export type Front = {
  readonly prefix: string;
  readonly rest: string;
  readonly signs: readonly Mark[];
  /** Behind what may be the name of a tool: *Zabbix: Resolved: ...* */
  readonly weaker: readonly Mark[];
};
type Piece = Omit<Front, 'weaker'> & { readonly weaker?: readonly Mark[] };

/** Marks in front; tags of lists and tools before them are kept, for they may tell problems apart. */
export function frontOf(line: string, depth = 0, isNamed = false): Front {
  let rest = line;
  let prefix = '';
  const signs: Mark[] = [];
  const weaker: Mark[] = [];
  for (let count = 0; count < MOST_MARKS; count += 1) {
    const next = frontMark(rest);
    if (next === undefined) break;
    signs.push(...(isContrary(line, rest, next.signs) ? ['trouble' as const] : next.signs));
    weaker.push(...(next.weaker ?? []));
    prefix = joined(prefix, next.prefix);
    rest = withoutGateways(next.rest);
  }
  const own: Front = { prefix, rest, signs, weaker };
  if (depth >= MOST_TAGS) return own;
  const [tag = ''] = TAG.exec(rest) ?? [];
  const [name = ''] = tag === '' && !isNamed ? (TOOL.exec(rest) ?? []) : [];
  const before = tag || name;
  if (before === '') return own;
  const bare = withoutGateways(rest.slice(before.length));
  const behind = frontOf(bare, depth + 1, isNamed || tag === '');
  const marks = [...behind.signs, ...behind.weaker];
  const isTimed = behind.rest !== bare;
  const isMarked =
    marks.length > 0 || isTimed || (tag !== '' && bare !== rest.slice(tag.length).trim());
  if (!isMarked) return own;
  return {
    prefix: joined(prefix, before.trim(), behind.prefix),
    rest: behind.rest,
    signs: tag === '' ? signs : [...signs, ...behind.signs],
    weaker: [...weaker, ...(tag === '' ? marks : behind.weaker)],
  };
}

const MOST_TAGS = 4;
const TAG = /^\[[^[\]]{1,80}\]\s*/;
const TOOL = /^[\p{L}\p{N}][\p{L}\p{N} ._()-]{0,40}[:：|]\s+/u;

function frontMark(line: string): Piece | undefined {
  return (
    timed(line) ??
    pictured(line) ??
    shortcode(line) ??
    bracketed(line) ??
    counted(line) ??
    phrase(line)
  );
}

const TIME_IN_FRONT =
  /^(?:\[(?:\d{4}-\d{2}-\d{2}[T ])?\d{1,2}:\d{2}(?::\d{2})?[^\][]{0,10}\]|\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2})?\b)[\s:-]+(?=[\p{L}\p{N}[(])/u;

/** [10:00] web is DOWN */
function timed(line: string): Piece | undefined {
  const [whole] = TIME_IN_FRONT.exec(line) ?? [];
  return whole === undefined
    ? undefined
    : { prefix: '', rest: line.slice(whole.length), signs: [] };
}

const STATE_BESIDE_PICTURES = new RegExp(
  `^(\\p{L}{2,20})(?:\\s*((?:${PICTURES})+)\\s*|\\s+(?=\\p{L}|\\p{N}))`,
  'u',
);

/** ✅ web; ✅ Up web; 🔥 Firing 🔥 web. */
function pictured(line: string): Piece | undefined {
  const [pictures = ''] = LEADING_PICTURES.exec(line) ?? [];
  if (pictures === '' || pictures.length >= line.length) return undefined;
  const [sign] = marksOfPictures(pictures);
  const rest = line.slice(pictures.length);
  const [whole, state = '', behind] = STATE_BESIDE_PICTURES.exec(rest) ?? [];
  const mark = whole === undefined || sign === undefined ? undefined : markOf(state, 'bracket');
  if (
    whole === undefined ||
    whole.length >= rest.length ||
    mark === undefined ||
    sign === undefined
  )
    return { prefix: '', rest, signs: marksOfPictures(pictures) };
  if (behind !== undefined) return { prefix: '', rest: rest.slice(whole.length), signs: [mark] };
  // It may be the first word of the name: 🔴 Up button broken.
  const isSame = sign === 'maybe end' ? mark === 'end' || mark === sign : mark === 'trouble';
  // ✅ up is UP
  const title = rest.slice(whole.length, whole.length + REACH);
  const isSubject = isSentence([state, ...wordsOf(title)]) || markOf(title, 'behind') !== undefined;
  const isState = isSame && !isSubject && BEFORE_NO_NOUN.test(state);
  return { prefix: '', rest: isState ? rest.slice(whole.length) : rest, signs: [sign] };
}

/** Unlike *failed*, of failed logins. */
const BEFORE_NO_NOUN =
  /^(?:up|down|ok|online|offline|firing|fired|triggered|alerting|resolved|recovered|cleared)$/i;

function shortcode(line: string): Piece | undefined {
  const [code = '', name = ''] = SHORTCODE.exec(line) ?? [];
  if (code === '' || !(GOOD_CODES.test(name) || BAD_CODES.test(name))) return undefined;
  const signs: readonly Mark[] = [GOOD_CODES.test(name) ? 'maybe end' : 'yielding'];
  return { prefix: '', rest: line.slice(code.length), signs };
}

function marksOfPictures(pictures: string): readonly Mark[] {
  if (BAD_PICTURES.test(pictures)) return ['yielding'];
  return GOOD_PICTURES.test(pictures) ? ['maybe end'] : [];
}

const BRACKETS = [
  /^\[([^[\]]{1,80})\]/u,
  /^\(([^()]{1,80})\)/u,
  /^<([^<>]{1,80})>/u,
  /^\{([^{}]{1,80})\}/u,
  /^【([^【】]{1,80})】/u,
  /^「([^「」]{1,80})」/u,
  /^\*{1,5}([^*]{1,80}?)\*{1,5}/u,
];
const BEHIND_BRACKET = /^\s*(?:[:：|–—-]+(?=\s|\p{L}|$))?\s*/u;
const NO_LETTERS = /^[^\p{L}\p{N}]+$/u;

function bracketed(line: string): Piece | undefined {
  for (const form of BRACKETS) {
    const [whole, content = ''] = form.exec(line) ?? [];
    if (whole === undefined) continue;
    const rest = line.slice(whole.length).replace(BEHIND_BRACKET, '');
    // Datadog: [Triggered on {host:web-1}] title.
    const [, state = content, scope = ''] = /^(.{1,40}?) on (\{.{1,70})$/u.exec(content) ?? [];
    const mark = NO_LETTERS.test(state) ? marksOfPictures(state)[0] : markOf(state, 'bracket');
    const kinds = kindsIn(wordsOf(state)).join(' ');
    if (mark !== undefined && !(mark === 'end' && isNone(rest)))
      return { prefix: joined(kinds && `[${kinds}]`, scope), rest, signs: [mark] };
  }
  return undefined;
}

const GRADE = /^[[({<]?\s?(?:crit\w*|warn\w*|unknown|red|yellow)\b/i;
const STATE_OF_ITSELF = /^[[({<]?\s?(?:ok|okay|up|normal|green)\s?[\])}>]\s*$/i;

/** [OK] [CRITICAL]: two states, of which [RESOLVED] [CRITICAL] has one, and a severity. */
function isContrary(line: string, rest: string, signs: readonly Mark[]): boolean {
  if (!signs.includes('yielding') || !GRADE.test(rest)) return false;
  return STATE_OF_ITSELF.test(line.slice(0, line.length - rest.length));
}

const COUNTS =
  /^(?:\p{L}[\p{L} ]{0,30}?\s?[:=–-]?\s?\d{1,6}(?![\p{L}\p{N}%.:])[\s,;|/]{0,3}){2,8}(?:[–—-]\s)?/u;

/** OK: 3, CRITICAL: 2 - cluster. */
function counted(line: string): Piece | undefined {
  const [whole] = COUNTS.exec(line) ?? [];
  const mark = whole === undefined ? undefined : markOf(whole, 'bracket');
  if (whole === undefined || mark === undefined) return undefined;
  return { prefix: '', rest: line.slice(whole.length).replace(BEHIND_BRACKET, ''), signs: [mark] };
}

// RESOLVED:, Resolved in 7m 30s:, UP alert:, Monitor is UP:, Incident #7 resolved -, 復旧：
const PHRASE =
  /^([^[\](){}<>:：|]{1,60}?)\s?(?:(?<!\d)[:：|]|[:：|](?!\d)|\s[–—-]{1,2}(?=\s)|[–—-](?=\s|$))\s*/u;
/** DOWN at 10:00: web */
const TIMED =
  /^([^[\](){}<>:：|]{1,40}?)\s(?:at|since|as of|@)\s?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?\s?[:：|]\s+/iu;

function phrase(line: string): Piece | undefined {
  const [whole, content = ''] = TIMED.exec(line) ?? PHRASE.exec(line) ?? [];
  if (whole === undefined) return undefined;
  const rest = line.slice(whole.length);
  const words = wordsOf(content);
  const mark = weighed(markOf(content, 'front'), words, rest);
  if (mark === undefined) return sensesOf(words) === undefined ? named(words, rest) : undefined;
  const kinds = kindsIn(words).join(' ');
  return { prefix: kinds && `${kinds}:`, rest, signs: [mark] };
}

/** Munin CRITICAL: db-1; Backup failed: db-1. What stands before the state is kept. */
function named(words: readonly string[], rest: string): Piece | undefined {
  const at = words.findIndex((_, index) => sensesOf(words.slice(index)) !== undefined);
  const name = words.slice(0, at);
  if (at < 1 || at > MOST_NAMES || rest === '') return undefined;
  const state = words.slice(at);
  const isNoun = state.every((word) => senseOf(word) === 'noun');
  // web is DOWN: connection refused
  const isSentence = ['verb', 'past'].includes(senseOf(state[0] ?? '') ?? '');
  if (isNoun || isSentence || name.some((word) => senseOf(word) !== undefined)) return undefined;
  const mark = weighed(markOf(state.join(' '), 'behind'), words, rest);
  return mark === undefined
    ? undefined
    : { prefix: `${name.join(' ')}:`, rest, signs: [], weaker: [mark] };
}

const MOST_NAMES = 3;

/**
 * Recovery: failed on db-1; OK check: UP; Success: no. What is an end in front may be taken back by
 * what follows it, or be what the rest is about.
 */
function weighed(mark: Mark | undefined, words: readonly string[], rest: string): Mark | undefined {
  if (isSentence(words)) return undefined;
  if (mark !== 'end' && mark !== 'maybe end') return mark;
  const state = markOf(rest.slice(0, REACH), 'behind');
  if (state === 'trouble' || (state !== undefined && mark === 'maybe end')) return undefined;
  // up: OK
  const isNamed = state === 'end' && /^(?:up|ok)$/.test(words.join(' '));
  if (isNamed || isNone(rest)) return undefined;
  if (!words.some((word) => /^(?:recovery|success)$/i.test(word))) return mark;
  const [next = ''] = wordsOf(rest.slice(0, REACH));
  if (FAILING.test(next)) return undefined;
  return isTrouble(next) || /\b(?:broken|stopped)\b/i.test(rest.slice(0, REACH))
    ? 'maybe end'
    : mark;
}

/** Success: no; [Recovered] false; UP: 2/3. */
function isNone(rest: string): boolean {
  const [, part, whole] = /^(\d{1,6})\s?(?:\/|of)\s?(\d{1,6})\b/.exec(rest) ?? [];
  if (part !== undefined && Number(part) < Number(whole)) return true;
  return /^(?:0|no|none|not|false|never|nein|non|nie|nee)[\s.!]*$/i.test(rest);
}

const FAILING =
  /^(?:fail(?:ed|ing|ure|s)?|not|incomplete|aborted|impossible|pending|unsuccessful)$/i;
