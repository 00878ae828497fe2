// How a line of text says its state: the subject of a mail, the title of a webhook, a message in
// chat. A mark in a fixed place (in front, in brackets or before a separator) is an end by itself.
// A weaker sign (behind, or a word in the sentence) is one only where its incident is open, else the
// line opens an incident: a lost page is worse than one too many.
import type { Action, Severity } from './alert.ts';
import { spend } from './effort.ts';
import { withoutGateways } from './gateways.ts';
import { type LineForm, lineForm } from './line-forms.ts';
import { backOf } from './marks/back.ts';
import { frontOf } from './marks/front.ts';
import { sentenceOf } from './marks/sentence.ts';
import {
  joined,
  lettersOf,
  type Mark,
  REACH,
  stateOf,
  wordsOf,
  yields,
} from './marks/words-of-mark.ts';
import { isTrouble, senseOf } from './words.ts';

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
  /** Of a weaker end: what the line of its problem may be without marks, the likeliest first. */
  readonly ends: readonly string[];
};

const LINE_WORK = 800;
const CHARACTER_WORK = 3;

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
    ...{ bare, stem, sign, ends: [] },
    ...(severity !== undefined && { severity }),
    ...(names !== undefined && { names }),
  };
}

function marked(bare: string): MarkedLine {
  const front = frontOf(bare);
  const alone = front.prefix === '' ? stateAlone(front.rest) : undefined;
  if (alone !== undefined) {
    const sign = signOf([...front.signs, alone], []);
    return { bare, stem: '', ...(sign !== undefined && { sign }), ends: [] };
  }
  const back = backOf(front.rest);
  const stem = joined(front.prefix, back.rest);
  const sign = signOf(front.signs, [...front.weaker, ...back.signs]);
  // PROBLEM: web is back online after 5 minutes. The noun in front is no state of its own.
  const isOpening = [...front.signs, ...front.weaker, ...back.signs].every(yields);
  const isStated = sign !== undefined && !isOpening;
  const ends = isStated ? [] : sentenceOf(front.rest, front.signs.length > 0);
  if (ends.length > 0)
    return {
      ...{ bare, stem, sign: { action: 'resolve', isWeaker: true } },
      ends: ends.map((end) => joined(front.prefix, end)),
    };
  const isEnd = sign?.action === 'resolve' && sign.isWeaker;
  return { bare, stem, ...(sign !== undefined && { sign }), ends: isEnd ? [stem] : [] };
}

/** OK; DOWN. A noun alone, such as Error, may be all that a tool calls its problem. */
function stateAlone(rest: string): Mark | undefined {
  const words = wordsOf(rest.slice(0, REACH));
  const isNoun = words.every((word) => ['noun', 'grade'].includes(senseOf(word) ?? ''));
  return words.length === 0 || isNoun ? undefined : stateOf(words);
}

function signOf(front: readonly Mark[], back: readonly Mark[]): Sign | undefined {
  const fixed = front.find((mark) => mark !== 'yielding' && mark !== 'maybe end');
  if (fixed === 'end') return { action: 'resolve', isWeaker: false };
  if (fixed === 'acknowledge') return { action: 'acknowledge', isWeaker: false };
  if (fixed === 'trouble') return { action: 'trigger', isWeaker: false };
  const behind = back.find((mark) => mark !== 'yielding');
  if (behind === 'end') return { action: 'resolve', isWeaker: true };
  if (behind === 'trouble') return { action: 'trigger', isWeaker: true };
  if (front.includes('maybe end') && !front.includes('yielding') && back.length === 0)
    return { action: 'resolve', isWeaker: true };
  return front.some(yields) || back.length > 0 ? { action: 'trigger', isWeaker: true } : undefined;
}

/** Whether a weaker sign of an end holds: no word of trouble stands outside the names of what is open. */
export function isEndOf(line: string, names: readonly string[]): boolean {
  const own = new Set(names.flatMap(lettersOf));
  const { rest } = frontOf(withoutGateways(line));
  return !lettersOf(rest).some((word) => !own.has(word) && isTrouble(word));
}
