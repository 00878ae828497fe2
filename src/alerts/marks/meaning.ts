// What words that stand together say of the state of a problem: one function for every place, with
// one table of which words decide.
import { type Sense, senseOf } from '../senses.ts';
import { isParticiple, sensesOf, wordsOf } from './words-of-mark.ts';

/** What a mark says. A `yielding` one begins a problem, unless an end stands next to it. */
export type Mark = 'end' | 'trouble' | 'yielding' | 'acknowledge' | 'maybe end';
export const yields = (mark: Mark): boolean => mark === 'yielding';

/** *[bracket] title*, *front: title*, *title is behind*, and alone in a *field* for states. */
export type Place = 'bracket' | 'front' | 'behind' | 'field';

const PLACES = ['bracket', 'front', 'behind', 'field'] as const;
/** `none`: no mark. `-`: another row decides. */
type Verdict = Mark | 'none' | '-';
type Row = readonly [fits: (words: Held) => boolean, ...verdicts: Verdict[]];

type Held = {
  readonly has: (...senses: readonly Sense[]) => boolean;
  readonly isOver: boolean;
  readonly isPast: boolean;
  readonly isName: boolean;
};

const maybe = 'maybe end';

/** The first row that fits and says something of the place decides. */
const table: readonly Row[] = [
  // What the words hold, and what it is in a bracket, in front, behind and in a field.
  [({ has }) => has('kind'), '-', '-', 'none', '-'],
  // Not resolved, still down.
  [({ has, isOver }) => has('denial') && (isOver || has('trouble')), ...of('trouble', 'none')],
  // Recovery failed, recovery started, was OK.
  [({ has, isOver }) => isOver && has('trouble', 'opening', 'bad'), ...of('none', 'none')],
  [({ isOver, isPast }) => isOver && isPast, ...of('none', 'none')],
  // Outage ended; but what is stopped may be the notifications.
  [({ has }) => has('noun') && has('over'), ...of('end', 'end')],
  [({ has }) => has('noun') && has('stop'), maybe, maybe, 'trouble', 'none'],
  // OK check, Database recovery.
  [({ has, isName }) => has('end') && isName, 'none', maybe, '-', '-'],
  [({ has }) => has('end'), ...of('end', 'end')],
  [({ has }) => has('maybe'), maybe, maybe, 'end', 'end'],
  [({ has }) => has('over'), maybe, maybe, '-', '-'],
  // web is running: problem.
  [({ has }) => has('well') && has('verb'), '-', 'end', '-', '-'],
  [({ has }) => has('well'), 'none', 'none', 'end', 'none'],
  [({ has }) => has('trouble'), ...of('trouble', 'trouble')],
  [({ has }) => has('stop'), ...of('trouble', 'none')],
  [({ has }) => has('bad'), 'yielding', 'none', 'none', 'none'],
  [({ has }) => has('opening'), 'trouble', 'trouble', 'none', 'none'],
  [({ has }) => has('acknowledge'), 'acknowledge', 'acknowledge', 'none', 'acknowledge'],
  // [Database error] may be the name of a team.
  [({ has }) => has('kind'), 'none', '-', '-', '-'],
  [({ has }) => has('noun', 'grade'), 'yielding', 'yielding', 'trouble', 'none'],
  [({ has }) => has('rank'), 'yielding', 'yielding', 'none', 'none'],
];

function of(text: Verdict, field: Verdict): readonly [Verdict, Verdict, Verdict, Verdict] {
  return [text, text, text, field];
}

/**
 * The mark that a text is, if it is nothing else. Of a change only what came of it counts (*OK ->
 * CRITICAL*); of a list the worst (*RESOLVED:1, FIRING:2*).
 */
export function markOf(text: string, place: Place): Mark | undefined {
  const changed = afterChange(text);
  if (changed === undefined) return undefined;
  const [, part = '', whole = ''] = SHARE.exec(changed) ?? [];
  const statements = changed
    .replace(SHARE, ' ')
    .split(/[,;/|]/)
    .flatMap((one) => statementsOf(one, place));
  const marks: Mark[] = [];
  let isGraded = false;
  for (const { words, isCounted } of statements) {
    const senses = sensesOf(words);
    if (senses === undefined) return undefined;
    if (senses.every((sense) => FILLING.has(sense))) continue;
    const verdict = verdictOf(senses, words, place);
    if (verdict === 'none') return undefined;
    const isGrade = verdict === 'yielding' && senses.includes('grade') && !senses.includes('noun');
    isGraded ||= isGrade;
    const isBegun = verdict === 'yielding' && (senses.includes('grade') || senses.includes('noun'));
    marks.push(isCounted && isBegun ? 'trouble' : verdict);
  }
  const mark = worst(marks, isGraded);
  const isPartly = Number(part) < Number(whole);
  return isPartly && (mark === 'end' || mark === maybe) ? 'trouble' : mark;
}

/** 2/3, 2 of 3 */
const SHARE = /(?<!\S)\(?(\d{1,6})\s?(?:\/|of|von|sur|de)\s?(\d{1,6})\)?(?!\S)/u;
const FILLING: ReadonlySet<Sense> = new Set(['filler', 'verb', 'span', 'past']);

function worst(marks: readonly Mark[], isGraded: boolean): Mark | undefined {
  if (marks.includes('trouble')) return 'trouble';
  // [OK, CRITICAL]
  if (marks.includes('end')) return isGraded && marks.length > 1 ? 'trouble' : 'end';
  return ([maybe, 'acknowledge', 'yielding'] as const).find((mark) => marks.includes(mark));
}

function verdictOf(
  senses: readonly Sense[],
  words: readonly string[],
  place: Place,
): Mark | 'none' {
  const has: Held['has'] = (...some) => some.some((sense) => senses.includes(sense));
  const held: Held = {
    has,
    isOver: has('end', 'maybe', 'well'),
    isPast: has('past') && !isParticipleIn(words),
    isName: has('end') && isName(words),
  };
  for (const [fits, ...verdicts] of table) {
    const verdict = verdicts[PLACES.indexOf(place)] ?? '-';
    if (verdict !== '-' && fits(held)) return verdict;
  }
  return 'none';
}

const isParticipleIn = (words: readonly string[]): boolean =>
  words.some((word) => isParticiple(word) || /(?:ed|ful)$/i.test(word));

/** OK check, Disk recovery, High up: what is an end elsewhere may be a part of a name. */
const isName = (words: readonly string[]): boolean =>
  words.some((word, at) => {
    const [before, after] = [words[at - 1] ?? '', words[at + 1] ?? ''];
    if (BEFORE_A_NAME.test(word) && senseOf(after) === 'kind') return true;
    if (/^(?:up|clear|close)$/i.test(word)) return senseOf(before) === 'rank';
    return /^recovery$/i.test(word) && before !== '' && !isOfRecovery(before);
  });

const BEFORE_A_NAME =
  /^(?:ok|okay|up|recovery|success|successful|normal|clear|close|closed|resolved|fixed|online)$/i;

/** What a tool says that it recovers: the rest is recovered by somebody. */
const isOfRecovery = (word: string): boolean =>
  /^(?:host|service|server|site|website|monitor|monitoring|check|node|device|alert|alarm|problem|issue)s?$/i.test(
    word,
  ) || ['grade', 'filler'].includes(senseOf(word) ?? '');

type Statement = { readonly words: readonly string[]; readonly isCounted: boolean };

/** Of a text without separators, those with counts, such as *OK 3 CRITICAL 2*; but those of none. */
function statementsOf(text: string, place: Place): readonly Statement[] {
  const words = wordsOf(text.replace(/[:=()–—]|\s-\s/gu, ' '));
  if (words.length === 0) return [];
  const plain = [{ words, isCounted: false }];
  const isSpan = words.some((word) => senseOf(word) === 'span');
  if (place !== 'bracket' || isSpan || !words.some(isCount)) return plain;
  const counts = countsOf(words);
  if (counts !== undefined)
    return counts
      .filter(({ count, of }) => count > 0 && of.length > 0)
      .map(({ of }) => ({ words: of, isCounted: true }));
  const rest = words.filter((word) => !isCount(word));
  return rest.length === 0 ? [] : [{ words: rest, isCounted: false }];
}

const isCount = (word: string): boolean => /^x?\d{1,6}x?$/i.test(word);

/** Each count with its words, if there are no words without one. */
function countsOf(words: readonly string[]) {
  const isFirst = isCount(words[0] ?? '');
  const ordered = isFirst ? words.toReversed() : words;
  const counts: { readonly count: number; readonly of: readonly string[] }[] = [];
  let of: string[] = [];
  for (const word of ordered) {
    if (isCount(word)) {
      counts.push({
        count: Number(word.replaceAll(/x/gi, '')),
        of: isFirst ? of.toReversed() : of,
      });
      of = [];
    } else of.push(word);
  }
  return of.length > 0 ? undefined : counts;
}

const ARROW = /\s?(?:[-–—]+>|=+>|→|⇒|➡\ufe0f?)\s?/u;
const CHANGE = /^(?:(?:was|from|previously)\s)?(.{1,40}?),?\s(?:to|now)\s(.{1,40})$/iu;

/** What came of a change; the text, if it is none; nothing, if it is a change of something else. */
function afterChange(text: string): string | undefined {
  const parts = text.split(ARROW);
  if (parts.length > 1)
    return parts.every((part) => sensesOf(wordsOf(part)) !== undefined) ? parts.at(-1) : undefined;
  const [, before = '', after = ''] = CHANGE.exec(text) ?? [];
  return isState(before) && isState(after) ? after : text;
}

const isState = (text: string): boolean => {
  const senses = sensesOf(wordsOf(text));
  return senses?.some((sense) => STATES.has(sense)) ?? false;
};
const STATES: ReadonlySet<Sense> = new Set(['end', 'maybe', 'well', 'trouble', 'grade']);

/** At most so many words behind a verb. */
export const MOST_WORDS = 8;
