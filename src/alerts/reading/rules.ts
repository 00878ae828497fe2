// What the words at a place mean: outcomes, severities, priorities.
import type { Action, Priority, Severity } from '../alert.ts';
import { type MarkedLine, readLine } from '../marks.ts';
import { plain } from '../plain.ts';
import { oneLine } from '../text.ts';
import { knownAction, priorityOf, severityOf } from '../words.ts';
import { expressionOf, isExpression } from './expression.ts';
import type { Outcome, Place, PriorityRule, SeverityRule, StateRule, Words } from './notation.ts';
import {
  firstLine,
  isWritten,
  type Lookup,
  type Path,
  pathOf,
  type Scope,
  textOf,
  valueAt,
} from './path.ts';

/** A list of what was written alone. */
export const listOf = <One>(written: One | readonly One[] | undefined): readonly One[] => {
  if (written === undefined) return [];
  // A list of lists is not written anywhere, so that what is a list is the list.
  return Array.isArray(written) ? written : [written as One];
};

export const pathsOf = (places: Place | readonly Place[] | undefined): Path =>
  listOf(places).flatMap(pathOf);

type Test = (text: string) => boolean;

export function testOf(words: Words): Test {
  if (isExpression(words)) return expressionOf(words).test;
  const known = new Set(String(words).split(/\s+/).map(plain));
  return (text) => known.has(plain(text));
}

type Rule<Meaning extends string> = {
  readonly at: Path;
  readonly words: readonly { readonly test: Test; readonly meaning: Meaning }[];
  readonly otherwise: Meaning | undefined;
};

type Written<Meaning extends string> = {
  readonly at: Place | readonly Place[];
  readonly else?: Meaning;
} & { readonly [meaning in Meaning]?: Words };

function ruleOf<Meaning extends string>(
  written: Written<Meaning>,
  meanings: readonly Meaning[],
): Rule<Meaning> {
  return {
    at: pathsOf(written.at),
    words: meanings.flatMap((meaning) => {
      const words: Words | undefined = written[meaning];
      return words === undefined ? [] : [{ test: testOf(words), meaning }];
    }),
    otherwise: written.else,
  };
}

const outcomes = ['nothing', 'unwatched', 'acknowledge', 'resolve', 'trigger'] as const;
const severities = ['sev1', 'sev2', 'sev3'] as const;
const priorities = ['p1', 'p2', 'p3', 'p4', 'p5'] as const;

type Stated = {
  readonly outcome: Outcome;
  readonly word: string;
  /** The line whose mark says so. */
  readonly line?: MarkedLine;
};
export type State = (scope: Scope) => Stated;

/**
 * Rules answer in their order; then the common table; then a weaker sign in a line; what nobody knows
 * triggers.
 */
export function stateOf(written: readonly StateRule[] = []): State {
  const rules = written.map((one) => ({
    ...ruleOf<Outcome>(one, outcomes),
    isLine: one.marks === true,
  }));
  return (scope) => {
    let common: { outcome: Action; word: string } | undefined;
    let weaker: Stated | undefined;
    for (const rule of rules) {
      const word = wordAt(rule.at, scope);
      const stated = rule.isLine ? stateOfLine(word) : undefined;
      if (stated !== undefined && stated.line?.sign?.isWeaker !== true) return stated;
      weaker ??= stated;
      const meaning = word === undefined ? undefined : meaningOf(rule, word);
      if (meaning !== undefined) return { outcome: meaning, word: word ?? '' };
      if (rule.otherwise !== undefined && isThere(rule.at, scope))
        return { outcome: rule.otherwise, word: word ?? '' };
      const known = rule.isLine ? undefined : knownAction(word);
      if (known !== undefined && word !== undefined) common ??= { outcome: known, word };
    }
    return common ?? weaker ?? { outcome: 'trigger', word: '' };
  };
}

/** What a line for people says; nothing if it has no mark. */
export function stateOfLine(text: string | undefined): Stated | undefined {
  const word = oneLine(firstLine(text ?? '') ?? '');
  const line = readLine(word);
  if (line.isNothing) return { outcome: 'nothing', word };
  if (line.sign === undefined) return undefined;
  return { outcome: line.sign.action, word, line };
}

export const severityRule = (
  written: Place | readonly Place[] | SeverityRule | undefined,
): ((scope: Scope) => Severity | undefined) => gradeOf(written, severities, severityOf);

export const priorityRule = (
  written: Place | readonly Place[] | PriorityRule | undefined,
): ((scope: Scope) => Priority | undefined) => gradeOf(written, priorities, priorityOf);

function gradeOf<Meaning extends string>(
  written: Place | readonly Place[] | Written<Meaning> | undefined,
  meanings: readonly Meaning[],
  common: (word: string) => Meaning | undefined,
): (scope: Scope) => Meaning | undefined {
  if (written === undefined) return () => undefined;
  const isPlaces = typeof written === 'string' || Array.isArray(written);
  // A list is no rule, which the compiler does not conclude of a readonly one; places alone are a
  // rule without words of its own.
  const rule = ruleOf((isPlaces ? { at: written } : written) as Written<Meaning>, meanings);
  return (scope) => {
    // Each place is asked, because the first may hold a word that nobody knows.
    for (const alternative of rule.at) {
      const word = wordAt([alternative], scope);
      const meaning = word === undefined ? undefined : (meaningOf(rule, word) ?? common(word));
      if (meaning !== undefined) return meaning;
    }
    return rule.otherwise;
  };
}

const meaningOf = <Meaning extends string>(
  { words }: Rule<Meaning>,
  word: string,
): Meaning | undefined => words.find(({ test }) => test(word))?.meaning;

const lookups: readonly Lookup[] = ['exact', 'loose'];

/** As text; what is called exactly so before what is called alike. */
export function wordAt(path: Path, scope: Scope): string | undefined {
  for (const lookup of lookups) {
    const text = textOf(valueAt(path, scope, lookup));
    if (text !== undefined) return text;
  }
  return undefined;
}

const isThere = (path: Path, scope: Scope): boolean =>
  lookups.some((lookup) => isWritten(path, scope, lookup));
