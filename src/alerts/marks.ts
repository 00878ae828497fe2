// How a line of text says its state: the subject of a mail, the title of a webhook, a message in
// chat. A mark in a fixed place (in front, in brackets or before a separator) is an end by itself.
// A weaker sign (behind, or a word in the sentence) is one only where its incident is open, else the
// line opens an incident: a lost page is worse than one too many.
import type { Action, Severity } from './alert.ts';
import { spend } from './effort.ts';
import { withoutGateways } from './gateways.ts';
import { type LineForm, lineForm } from './line-forms.ts';
import { backOf, withoutReason } from './marks/back.ts';
import { type Front, frontOf } from './marks/front.ts';
import { type Mark, markOf, yields } from './marks/meaning.ts';
import { opposed } from './marks/opposites.ts';
import { sentenceOf } from './marks/sentence.ts';
import {
  isParticiple,
  isSentence,
  joined,
  lettersOf,
  REACH,
  sensesOf,
  wordsOf,
} from './marks/words-of-mark.ts';
import { isTrouble, senseOf } from './senses.ts';

type Sign = { readonly action: Action; readonly isWeaker: boolean };

export type MarkedLine = {
  /** Without gateways' marks. */
  readonly bare: string;
  /** Without marks of state either: the problem. Empty if nothing else is in the line. */
  readonly stem: string;
  /** None: nothing in the line says a state. */
  readonly sign?: Sign;
  /** A tool's line that reports no change of a problem. */
  readonly isNothing?: true;
  readonly severity?: Severity;
  /** Whose mail names the host's address in its text. */
  readonly names?: LineForm['names'] & string;
  /** Of an end: what the line of its problem may be without marks, the likeliest first. */
  readonly ends: readonly string[];
  /** Of a weaker end: what it is the problem of, if it ends nothing. */
  readonly opens?: string;
};

const LINE_WORK = 1600;
const CHARACTER_WORK = 6;

export function readLine(line: string): MarkedLine {
  spend(LINE_WORK + CHARACTER_WORK * line.length);
  const bare = withoutGateways(line);
  return wholeForm(bare) ?? marked(bare);
}

function wholeForm(bare: string): MarkedLine | undefined {
  const form = lineForm(bare);
  if (form === undefined) return undefined;
  const { key: stem, action, severity, names } = form;
  if (action === 'nothing') return { bare, stem, ends: [], isNothing: true };
  const sign = { action, isWeaker: false };
  return {
    bare,
    stem,
    sign,
    ends: [],
    ...(severity !== undefined && { severity }),
    ...(names !== undefined && { names }),
  };
}

function marked(bare: string): MarkedLine {
  const front = frontOf(bare);
  const alone = front.prefix === '' ? stateAlone(front.rest) : undefined;
  if (alone !== undefined)
    return { bare, stem: '', ...signedBy(signOf([...front.signs, alone], [])) };
  const back = backOf(front.rest);
  const isFronted = front.signs.length > 0;
  const stem = joined(front.prefix, isFronted ? withoutReason(back.rest) : back.rest);
  const behind = [...front.weaker, ...back.signs];
  const sign = signOf(front.signs, behind);
  // [Online] Checkout is DOWN
  const isTroubled = sign?.isWeaker === true && behind.includes('trouble');
  if (sign !== undefined && sign.action !== 'resolve' && !isOpenToDoubt(front, back.signs))
    return { bare, stem, ...signedBy(sign) };
  // Door closed: rack 3. The name of a tool in front may be what it speaks of.
  const isNamed = !isFronted && front.weaker.length > 0;
  const sentences = once([
    ...sentenceOf(front.rest, isFronted).map((end) => joined(front.prefix, end)),
    ...(isNamed ? opposed(bare, bare) : []),
  ]);
  if (sign?.action === 'resolve')
    return {
      bare,
      stem,
      sign,
      ends: once([stem, ...sentences]),
      ...(isTroubled && { opens: stem }),
    };
  if (sentences.length === 0) return { bare, stem, ...signedBy(sign) };
  const weaker = { action: 'resolve', isWeaker: true } as const;
  return { bare, stem, sign: weaker, ends: sentences, ...(isFronted && { opens: stem }) };
}

/** PROBLEM: web is back online after 5 minutes. The noun in front is no state of its own. */
const isOpenToDoubt = (front: Front, behind: readonly Mark[]): boolean =>
  [...front.signs, ...front.weaker, ...behind].every(yields);

const once = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

const signedBy = (sign: Sign | undefined): Pick<MarkedLine, 'sign' | 'ends'> => ({
  ...(sign !== undefined && { sign }),
  ends: [],
});

/**
 * OK; DOWN; Alert resolved. A noun alone, such as Error, may be all that a tool calls its problem, and
 * *Errors up* and *Update is available* speak of something.
 */
function stateAlone(rest: string): Mark | undefined {
  const text = rest.slice(0, REACH);
  const words = wordsOf(text);
  const senses = sensesOf(words);
  if (senses === undefined || words.length === 0) return undefined;
  const has = (...some: typeof senses) => some.some((sense) => senses.includes(sense));
  const isStated = has('end', 'maybe', 'well', 'trouble', 'stop', 'over');
  const mark = isStated && !isSentence(words) ? markOf(text, 'behind') : undefined;
  if (mark !== 'end') return mark;
  const isOfSomething = has('noun', 'grade', 'verb', 'past');
  const isStatedTwice = senses.filter((sense) => sense === 'end' || sense === 'maybe').length > 1;
  return (isOfSomething && !words.some(isParticiple)) || isStatedTwice ? undefined : mark;
}

function signOf(front: readonly Mark[], back: readonly Mark[]): Sign | undefined {
  // [RESOLVED] [FIRING]: where they disagree, it goes on.
  const fixed = (['trouble', 'end', 'acknowledge'] as const).find((mark) => front.includes(mark));
  if (fixed !== undefined) return { action: actionOf[fixed], isWeaker: false };
  // ✅ web is down: which of them it is, the title of what is open shows.
  if (front.includes('maybe end') && !front.includes('yielding'))
    return { action: 'resolve', isWeaker: true };
  const behind = back.find((mark) => mark === 'end' || mark === 'trouble');
  if (behind !== undefined) return { action: actionOf[behind], isWeaker: true };
  return front.some(yields) || back.length > 0 ? { action: 'trigger', isWeaker: true } : undefined;
}

const actionOf = { end: 'resolve', trouble: 'trigger', acknowledge: 'acknowledge' } as const;

/**
 * Whether a weaker sign of an end holds: no word of trouble stands outside the names of what is open,
 * and no share of it (2 of 5 nodes). `titles`: as what is open says it, with its marks behind, which
 * an end in front repeats.
 */
export function isEndOf(
  line: string,
  names: readonly string[],
  titles: readonly string[] = [],
): boolean {
  const front = frontOf(withoutGateways(line));
  const isInFront = [...front.signs, ...front.weaker].some((mark) => /end$/.test(mark));
  const open = titles.flatMap((title) => {
    const { signs, weaker, rest } = frontOf(withoutGateways(title));
    return [...signs, ...weaker].some((mark) => mark === 'trouble' || yields(mark)) ? [rest] : [];
  });
  const own = [...names, ...(isInFront ? open : [])];
  const known = new Set(own.flatMap(lettersOf));
  const words = withoutEnds(lettersOf(front.rest));
  // web is UP - high latency
  const isBad = (word: string) => isTrouble(word) || word === 'high';
  if (words.some((word) => !known.has(word) && isBad(word))) return false;
  const [, code] = ERROR_CODE.exec(front.rest) ?? [];
  if (code !== undefined && !known.has(code)) return false;
  return !sharesIn(front.rest).some((share) => !own.some((name) => name.includes(share)));
}

/** In *no ar* (on the air) the *no* denies nothing. */
const withoutEnds = (words: readonly string[]): readonly string[] =>
  words.filter((_, at) =>
    [at - 1, at].every((from) => {
      const sense = from < 0 ? undefined : senseOf(words.slice(from, from + 2).join(' '));
      return sense !== 'end' && sense !== 'well';
    }),
  );

/** web is OK - HTTP 503; web is UP (500). */
const ERROR_CODE =
  /(?:\bHTTP\W{0,3}|[:–—-]\s|\()([45]\d{2})\b(?!\s?(?:\/|of\b|[kmµ]?s\b|[kMGT]?i?B\b|%))/i;

/** 2 of 5, 0/5. */
const sharesIn = (text: string): readonly string[] =>
  [
    ...text.matchAll(/(?<![\w/.])(\d{1,6})\s?(?:\/|of|out of|von|sur|de)\s?(\d{1,6})(?![\w/.])/gi),
  ].flatMap(([share, part, whole]) => (Number(part) < Number(whole) ? [share] : []));
