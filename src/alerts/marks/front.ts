// Marks in front of a line: [RESOLVED], OK:, UP alert:, pictures; and what stands before them.
import { withoutGateways } from '../gateways.ts';
import { type Sense, senseOf } from '../words.ts';
import {
  isOfName,
  joined,
  kindsIn,
  type Mark,
  MOST_MARKS,
  markOfBracket,
  PICTURES,
  REACH,
  sensesOf,
  stateOf,
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

type Front = {
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
    signs.push(...next.signs);
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
  const isMarked = marks.length > 0 || (tag !== '' && bare !== rest.slice(tag.length).trim());
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
  const [pictures = ''] = LEADING_PICTURES.exec(line) ?? [];
  if (pictures !== '' && pictures.length < line.length)
    return { prefix: '', rest: line.slice(pictures.length), signs: marksOfPictures(pictures) };
  const [code = '', name = ''] = SHORTCODE.exec(line) ?? [];
  if (code !== '' && (GOOD_CODES.test(name) || BAD_CODES.test(name)))
    return {
      prefix: '',
      rest: line.slice(code.length),
      signs: [GOOD_CODES.test(name) ? 'maybe end' : 'yielding'],
    };
  return bracketed(line) ?? phrase(line);
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

function bracketed(line: string): Piece | undefined {
  for (const form of BRACKETS) {
    const [whole, content = ''] = form.exec(line) ?? [];
    if (whole === undefined) continue;
    const rest = line.slice(whole.length).replace(BEHIND_BRACKET, '');
    // Datadog: [Triggered on {host:web-1}] title.
    const [, state = content, scope = ''] = /^(.{1,40}?) on (\{.{1,70})$/u.exec(content) ?? [];
    const mark = markOfBracket(state);
    const kinds = kindsIn(wordsOf(state)).join(' ');
    if (mark !== undefined)
      return { prefix: joined(kinds && `[${kinds}]`, scope), rest, signs: [mark] };
  }
  return undefined;
}

// RESOLVED:, Resolved in 7m 30s:, UP alert:, Monitor is UP:, Incident #7 resolved -, 復旧：
const PHRASE = /^([^[\](){}<>:：|]{1,60}?)\s?(?:[:：|]|\s[–—-]{1,2}(?=\s)|[–—-](?=\s|$))\s*/u;

function phrase(line: string): Piece | undefined {
  const [whole, content = ''] = PHRASE.exec(line) ?? [];
  if (whole === undefined) return undefined;
  const rest = line.slice(whole.length);
  const words = wordsOf(content);
  const senses = sensesOf(words);
  if (senses === undefined) return named(words, rest);
  const mark = markOfPhrase(senses);
  if (mark === undefined || isTakenBack(mark, words, rest)) return undefined;
  const kinds = kindsIn(words).join(' ');
  return {
    prefix: kinds && `${kinds}:`,
    rest,
    signs: [mark === 'end' && isOfName(words) ? 'maybe end' : mark],
  };
}

/** Munin CRITICAL: db-1; Backup failed: db-1. What stands before the state is kept. */
function named(words: readonly string[], rest: string): Piece | undefined {
  const at = words.findIndex((_, index) => sensesOf(words.slice(index)) !== undefined);
  const name = words.slice(0, at);
  if (at < 1 || at > MOST_NAMES || rest === '') return undefined;
  const mark = stateOf(words.slice(at));
  const isNoun = words.slice(at).every((word) => senseOf(word) === 'noun');
  if (mark === undefined || isNoun || name.some((word) => senseOf(word) !== undefined))
    return undefined;
  if (isTakenBack(mark, words, rest)) return undefined;
  return { prefix: `${name.join(' ')}:`, rest, signs: [], weaker: [mark] };
}

const MOST_NAMES = 3;

function markOfPhrase(senses: readonly Sense[]): Mark | undefined {
  const has = (sense: Sense) => senses.includes(sense);
  if (has('denial')) return undefined;
  const [isBad, isOver] = [has('trouble'), has('end') || (has('well') && has('verb'))];
  // Recovery failed: it denies the mark itself.
  if (isBad && isOver) return undefined;
  if (isOver) return 'end';
  if (has('maybe') && !isBad) return 'maybe end';
  if (isBad || has('opening')) return has('acknowledge') ? undefined : 'trouble';
  if (has('acknowledge')) return 'acknowledge';
  return has('noun') || has('grade') || has('rank') ? 'yielding' : undefined;
}

/**
 * Recovery: failed on db-1; Recovery job: DOWN. The noun may be what it is about; and what has nothing
 * but trouble behind it is a name.
 */
function isTakenBack(mark: Mark, words: readonly string[], rest: string): boolean {
  if (mark !== 'end') return false;
  if (stateOf(wordsOf(rest.slice(0, REACH))) === 'trouble') return true;
  if (!words.some((word) => /^(?:recovery|success)$/i.test(word))) return false;
  const [next = ''] = wordsOf(rest.slice(0, REACH));
  return FAILING.test(next);
}

const FAILING =
  /^(?:fail(?:ed|ing|ure|s)?|not|incomplete|aborted|impossible|pending|unsuccessful)$/i;
